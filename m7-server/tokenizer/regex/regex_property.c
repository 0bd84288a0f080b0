/* Sets of characters that have a name: see regex_property.h. */
#include "regex_property.h"

#include <ctype.h>
#include <string.h>

/* Alphabetic are, besides letters and letter-like numbers, some marks and the
 * circled letters; \w takes all marks. */
#define CIRCLED                                                               \
    "\\x{24B6}-\\x{24E9}\\x{1F130}-\\x{1F149}\\x{1F150}-\\x{1F169}"           \
    "\\x{1F170}-\\x{1F189}"
#define WORD       "\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}" CIRCLED
#define WORD_ALONE WORD "\\x{B2}\\x{B3}\\x{B9}\\x{BC}-\\x{BE}"
#define AFTER      "(?<=[" WORD_ALONE "])"
#define NOT_AFTER  "(?<![" WORD_ALONE "])"
#define BEFORE     "(?=[" WORD_ALONE "])"
#define NOT_BEFORE "(?![" WORD_ALONE "])"

const char property_word[] = WORD;
const char property_word_alone[] = WORD_ALONE;
const char property_word_boundary[] =
    "(?:" AFTER NOT_BEFORE "|" NOT_AFTER BEFORE ")";
const char property_no_word_boundary[] =
    "(?:" AFTER BEFORE "|" NOT_AFTER NOT_BEFORE ")";
const char property_hexadecimal[] = "0-9A-Fa-f";

struct property {
    const char *name, *items;
};

static const struct property properties[] = {
    {"any", "\\p{Any}"},
    {"ascii", "\\x{0}-\\x{7F}"},
    {"assigned", "\\P{Cn}"},
    {"alpha", "\\p{Alphabetic}"},
    {"alphabetic", "\\p{Alphabetic}"},
    {"alnum", "\\p{Alphabetic}\\p{Nd}"},
    {"blank", "\\p{Zs}\\x{9}"},
    {"digit", "\\p{Nd}"},
    {"space", "\\s"},
    {"whitespace", "\\s"},
    {"xdigit", property_hexadecimal},

    {"c", "\\p{C}"},
    {"other", "\\p{C}"},
    {"cc", "\\p{Cc}"},
    {"cntrl", "\\p{Cc}"},
    {"control", "\\p{Cc}"},
    {"cf", "\\p{Cf}"},
    {"format", "\\p{Cf}"},
    {"cn", "\\p{Cn}"},
    {"unassigned", "\\p{Cn}"},
    {"co", "\\p{Co}"},
    {"privateuse", "\\p{Co}"},
    {"l", "\\p{L}"},
    {"letter", "\\p{L}"},
    {"lc", "\\p{Lu}\\p{Ll}\\p{Lt}"},
    {"casedletter", "\\p{Lu}\\p{Ll}\\p{Lt}"},
    {"ll", "\\p{Ll}"},
    {"lowercaseletter", "\\p{Ll}"},
    {"lm", "\\p{Lm}"},
    {"modifierletter", "\\p{Lm}"},
    {"lo", "\\p{Lo}"},
    {"otherletter", "\\p{Lo}"},
    {"lt", "\\p{Lt}"},
    {"titlecaseletter", "\\p{Lt}"},
    {"lu", "\\p{Lu}"},
    {"uppercaseletter", "\\p{Lu}"},
    {"m", "\\p{M}"},
    {"mark", "\\p{M}"},
    {"combiningmark", "\\p{M}"},
    {"mc", "\\p{Mc}"},
    {"spacingmark", "\\p{Mc}"},
    {"me", "\\p{Me}"},
    {"enclosingmark", "\\p{Me}"},
    {"mn", "\\p{Mn}"},
    {"nonspacingmark", "\\p{Mn}"},
    {"n", "\\p{N}"},
    {"number", "\\p{N}"},
    {"nd", "\\p{Nd}"},
    {"decimalnumber", "\\p{Nd}"},
    {"nl", "\\p{Nl}"},
    {"letternumber", "\\p{Nl}"},
    {"no", "\\p{No}"},
    {"othernumber", "\\p{No}"},
    {"p", "\\p{P}"},
    {"punct", "\\p{P}"},
    {"punctuation", "\\p{P}"},
    {"pc", "\\p{Pc}"},
    {"connectorpunctuation", "\\p{Pc}"},
    {"pd", "\\p{Pd}"},
    {"dashpunctuation", "\\p{Pd}"},
    {"pe", "\\p{Pe}"},
    {"closepunctuation", "\\p{Pe}"},
    {"pf", "\\p{Pf}"},
    {"finalpunctuation", "\\p{Pf}"},
    {"pi", "\\p{Pi}"},
    {"initialpunctuation", "\\p{Pi}"},
    {"po", "\\p{Po}"},
    {"otherpunctuation", "\\p{Po}"},
    {"ps", "\\p{Ps}"},
    {"openpunctuation", "\\p{Ps}"},
    {"s", "\\p{S}"},
    {"symbol", "\\p{S}"},
    {"sc", "\\p{Sc}"},
    {"currencysymbol", "\\p{Sc}"},
    {"sk", "\\p{Sk}"},
    {"modifiersymbol", "\\p{Sk}"},
    {"sm", "\\p{Sm}"},
    {"mathsymbol", "\\p{Sm}"},
    {"so", "\\p{So}"},
    {"othersymbol", "\\p{So}"},
    {"z", "\\p{Z}"},
    {"separator", "\\p{Z}"},
    {"zl", "\\p{Zl}"},
    {"lineseparator", "\\p{Zl}"},
    {"zp", "\\p{Zp}"},
    {"paragraphseparator", "\\p{Zp}"},
    {"zs", "\\p{Zs}"},
    {"spaceseparator", "\\p{Zs}"},

    {"armenian", "\\p{sc:Armenian}"},
    {"bengali", "\\p{sc:Bengali}"},
    {"bopomofo", "\\p{sc:Bopomofo}"},
    {"ethiopic", "\\p{sc:Ethiopic}"},
    {"georgian", "\\p{sc:Georgian}"},
    {"greek", "\\p{sc:Greek}"},
    {"gujarati", "\\p{sc:Gujarati}"},
    {"gurmukhi", "\\p{sc:Gurmukhi}"},
    {"han", "\\p{sc:Han}"},
    {"hangul", "\\p{sc:Hangul}"},
    {"hebrew", "\\p{sc:Hebrew}"},
    {"hiragana", "\\p{sc:Hiragana}"},
    {"kannada", "\\p{sc:Kannada}"},
    {"katakana", "\\p{sc:Katakana}"},
    {"khmer", "\\p{sc:Khmer}"},
    {"lao", "\\p{sc:Lao}"},
    {"latin", "\\p{sc:Latin}"},
    {"malayalam", "\\p{sc:Malayalam}"},
    {"oriya", "\\p{sc:Oriya}"},
    {"sinhala", "\\p{sc:Sinhala}"},
    {"tamil", "\\p{sc:Tamil}"},
    {"telugu", "\\p{sc:Telugu}"},
    {"thai", "\\p{sc:Thai}"},
    {"tibetan", "\\p{sc:Tibetan}"},
};

static const struct property posix[] = {
    {"alnum", "\\p{Alphabetic}\\p{Nd}"},
    {"alpha", "\\p{Alphabetic}"},
    {"ascii", "\\x{0}-\\x{7F}"},
    {"blank", "\\p{Zs}\\x{9}"},
    {"cntrl", "\\p{Cc}"},
    {"digit", "\\p{Nd}"},
    {"punct", "\\p{P}\\p{S}"},
    {"space", "\\s"},
    {"word", property_word},
    {"xdigit", property_hexadecimal},
};

static const char *find(const struct property *table, size_t count,
                        const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].items;
    return NULL;
}

const char *property_find(const char *name, size_t size)
{
    char plain[32];
    size_t length = 0;
    for (size_t i = 0; i < size && length < sizeof plain - 1; i++)
        if (!strchr(" -_", name[i]))
            plain[length++] = (char)tolower((unsigned char)name[i]);
    plain[length] = 0;
    return find(properties, sizeof properties / sizeof *properties, plain);
}

const char *posix_find(const char *name, size_t size)
{
    char plain[32] = "";
    if (size < sizeof plain)
        memcpy(plain, name, size);
    return find(posix, sizeof posix / sizeof *posix, plain);
}

/* Numbers, punctuation, symbols and separators: the few among them that have
 * two cases have both in the same set. */
bool property_is_caseless(const char *items)
{
    return (items[0] == '\\' && items[1] == 'p' && strchr("NPSZ", items[3])) ||
           strcmp(items, "\\s") == 0 || items == property_hexadecimal;
}

bool property_is_alphabetic(const char *items)
{
    return strstr(items, "{Alphabetic}") != NULL;
}

bool property_is_single(const char *items)
{
    size_t length = strlen(items);
    return items[0] == '\\' &&
           (length == 2 || (tolower((unsigned char)items[1]) == 'p' &&
                            strchr(items, '}') == items + length - 1));
}

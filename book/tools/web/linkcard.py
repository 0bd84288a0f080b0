"""What other sites show of a page that is linked there: a card with a title,
a sentence and a picture.

Such sites want whole addresses.  The build knows them when it is told where
the site will stand (make site SITE=https://…); without that a card has no
picture.
"""


def tags(address, name, title, description, cards=()):
    """The tags of a page's head; title and description are HTML.  `cards` are
    the names of the pictures that were drawn."""
    said = [("og:type", "article" if name != "index.html" else "website"),
            ("og:site_name", "Rungs"), ("og:title", title),
            ("og:description", description)]
    if address:
        page = "" if name == "index.html" else name
        said.append(("og:url", f"{address}/{page}"))
    picture = picture_of(name, cards)
    if address and picture:
        said += [("og:image", f"{address}/{picture}"),
                 ("og:image:width", "1200"), ("og:image:height", "630")]
    kind = "summary_large_image" if address and picture else "summary"
    return "".join(f'<meta property="{key}" content="{value}">\n'
                   for key, value in said) + \
        f'<meta name="twitter:card" content="{kind}">\n'


def picture_of(name, cards):
    """The picture of a page, the site's where it has none of its own, or
    None."""
    own = f"cards/{name.removesuffix('.html')}.png"
    return next((card for card in (own, "cards/index.png") if card in cards),
                None)

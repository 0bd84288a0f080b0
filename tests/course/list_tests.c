
/* --- only where the course finds out which test calls what --------------
 *
 * Appended to end_test.c.  The tests are compiled so that what they call
 * instead of cmocka is list_or_run: with $LIST_TESTS it prints the names of
 * a program's tests and runs none. */
#undef _cmocka_run_group_tests
int _cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests,
                            size_t n, CMFixtureFunction setup,
                            CMFixtureFunction teardown);

int list_or_run(const char *name, const struct CMUnitTest *tests, size_t n,
                CMFixtureFunction setup, CMFixtureFunction teardown);

int list_or_run(const char *name, const struct CMUnitTest *tests, size_t n,
                CMFixtureFunction setup, CMFixtureFunction teardown)
{
    if (!getenv("LIST_TESTS"))
        return _cmocka_run_group_tests(name, tests, n, setup, teardown);
    for (size_t i = 0; i < n; i++)
        printf("TEST %s\n", tests[i].name);
    return 0;
}

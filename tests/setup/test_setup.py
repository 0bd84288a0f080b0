"""What setup.sh does on machines of each kind.

A machine is a folder of programs that alone is the PATH: the few real ones
that a shell script needs, and made-up ones that write down how they were
called.  What is installed on it are the words in the file `installed`.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent
REAL = ["sh", "awk", "paste", "dirname", "cat", "grep", "env"]

HAS = """has() { grep -qx "$1" "$MACHINE/installed"; }\n"""
FAKES = {
    "id": 'echo "$USER_ID"',
    "sudo": 'echo "sudo $*" >> "$MACHINE/calls"; $SUDO_REFUSES "$@"',
    "cc": 'has gcc && { text=$(cat); case $text in'
          ' *has_include*simde*) has libsimde-dev ;;'
          ' *__has_include*) has libjansson-dev && has header ;; esac; }',
    "apt-cache": "has lists",
    "apt-get": """
        echo "apt-get $*" >> "$MACHINE/calls"
        case " $* " in
        *" update "*) echo lists >> "$MACHINE/installed" ;;
        *) has lists && has network || exit 100
           [ "$DEBIAN_FRONTEND" = noninteractive ] || exit 99
           for word; do echo "$word" >> "$MACHINE/installed"; done ;;
        esac""",
}
PKG_CONFIG = """[ "$1" = --exists ] || exit 9
case $2 in jansson) has libjansson-dev ;; libpng) has libpng-dev ;; esac"""


class Machine(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        (self.folder / "calls").write_text("")
        for name in REAL:
            (self.bin / name).symlink_to(shutil.which(name))
        for name, script in FAKES.items():
            self.add_program(name, script)
        self.install("network")

    def add_program(self, name, script):
        path = self.bin / name
        path.write_text("#!/bin/sh\n" + HAS + script + "\n")
        path.chmod(0o755)

    def remove_program(self, name):
        (self.bin / name).unlink()

    def install(self, *words):
        with (self.folder / "installed").open("a") as installed:
            installed.writelines(f"{word}\n" for word in words)

    def add_pkg_config(self):
        self.add_program("pkg-config", PKG_CONFIG)

    def set_up(self, *needs, root=True, sudo_refuses=False):
        """Run it; its exit status, all it said, and the calls it made."""
        done = subprocess.run(
            [shutil.which("sh"), FOLDER / "setup.sh", *needs],
            env={"PATH": str(self.bin), "MACHINE": str(self.folder),
                 "USER_ID": "0" if root else "1000",
                 "SUDO_REFUSES": "false" if sudo_refuses else ""},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        calls = (self.folder / "calls").read_text().splitlines()
        return done.returncode, done.stdout, calls


class NothingMissing(Machine):
    def test_it_says_and_calls_nothing(self):
        self.install("gcc", "libjansson-dev", "lists")
        self.add_pkg_config()
        self.assertEqual(self.set_up("cc", "pkg-config", "jansson"),
                         (0, "", []))


class Root(Machine):
    def setUp(self):
        super().setUp()
        self.install("gcc", "lists")
        self.add_pkg_config()

    def installs(self, *needs):
        """The packages named in the only call, which is apt-get install."""
        status, said, calls = self.set_up(*needs)
        self.assertEqual(status, 0, said)
        self.assertEqual(len(calls), 1)
        self.assertIn("+ env DEBIAN_FRONTEND=noninteractive apt-get", said)
        return calls[0].partition("--no-install-recommends ")[2]

    def test_only_what_is_missing_is_installed(self):
        self.install("libpng-dev")
        self.assertEqual(self.installs("cc", "jansson", "libpng"),
                         "libjansson-dev")

    def test_one_of_two_commands_is_enough(self):
        self.add_program("qemu-aarch64", "")
        self.assertEqual(self.set_up("arm-emulator"), (0, "", []))

    def test_a_browser_of_another_name_is_one_too(self):
        self.add_program("google-chrome", "")
        self.assertEqual(self.set_up("chromium"), (0, "", []))

    def test_a_library_of_headers_is_looked_for_by_the_compiler(self):
        self.assertEqual(self.installs("simde"), "libsimde-dev")

    def test_the_command_is_shown_before_it_runs(self):
        self.add_program("apt-get", 'echo "apt-get runs"; exit 1')
        _, said, _ = self.set_up("jansson")
        self.assertLess(said.index("Not on this machine yet: jansson"),
                        said.index("+ env"))
        self.assertLess(said.index("+ env"), said.index("apt-get runs"))

    def test_lists_are_fetched_where_there_are_none(self):
        (self.folder / "installed").write_text("gcc\nnetwork\n")
        status, _, calls = self.set_up("jansson")
        self.assertEqual(status, 0)
        self.assertTrue(calls[0].endswith("update"))
        self.assertTrue(calls[1].endswith("libjansson-dev"))

    def test_lists_are_fetched_when_a_download_fails(self):
        self.add_program("apt-get", FAKES["apt-get"].replace(
            "has network", "has twice || { echo twice >>"
            ' "$MACHINE/installed"; exit 100; }'))
        status, _, calls = self.set_up("jansson")
        self.assertEqual(status, 0)
        self.assertEqual(len(calls), 3)
        self.assertTrue(calls[1].endswith("update"))

    def test_without_a_network_it_names_the_packages(self):
        (self.folder / "installed").write_text("gcc\nlists\n")
        status, said, _ = self.set_up("jansson")
        self.assertEqual(status, 1)
        self.assertIn("apt-get could not install", said)
        self.assertIn("sudo apt-get install libjansson-dev\n", said)

    def test_what_apt_says_it_installed_is_looked_for_again(self):
        self.add_program("pkg-config", "exit 1")
        status, said, _ = self.set_up("jansson")
        self.assertEqual(status, 1)
        self.assertIn("Installed, but still not found: jansson", said)

    def test_a_need_without_a_row_stops_it(self):
        status, said, calls = self.set_up("libnowhere")
        self.assertEqual((status, calls), (1, []))
        self.assertIn("no row for libnowhere", said)


class NoPkgConfig(Machine):
    def test_headers_tell(self):
        self.install("gcc", "libjansson-dev", "header", "lists")
        status, said, calls = self.set_up("jansson", "pkg-config")
        self.assertIn("Not on this machine yet: pkg-config \n", said)
        self.assertTrue(calls[0].endswith("recommends pkg-config"))

    def test_nor_a_compiler(self):
        self.install("lists")
        _, said, calls = self.set_up("cc", "pkg-config", "jansson")
        self.assertTrue(calls[0].endswith(
            "gcc libc6-dev pkg-config libjansson-dev"))


class OrdinaryUser(Machine):
    def setUp(self):
        super().setUp()
        self.install("gcc", "lists")
        self.add_pkg_config()

    def test_sudo_is_used(self):
        status, said, calls = self.set_up("jansson", root=False)
        self.assertEqual(status, 0)
        self.assertTrue(calls[0].startswith("sudo env DEBIAN_FRONTEND="))
        self.assertTrue(calls[1].startswith("apt-get"))
        self.assertIn("+ sudo env", said)

    def test_without_sudo_it_names_the_packages(self):
        self.remove_program("sudo")
        status, said, calls = self.set_up("cc", "jansson", "libpng",
                                          root=False)
        self.assertEqual((status, calls), (1, []))
        self.assertIn("takes apt-get, and root or sudo", said)
        self.assertIn("apt-get install libjansson-dev libpng-dev\n", said)
        self.assertIn("dnf install jansson-devel libpng-devel\n", said)
        self.assertIn("brew install jansson libpng\n", said)

    def test_where_sudo_refuses_it_names_the_packages(self):
        status, said, _ = self.set_up("jansson", root=False,
                                      sudo_refuses=True)
        self.assertEqual(status, 1)
        self.assertIn("apt-get install libjansson-dev\n", said)


class AnotherSystem(Machine):
    def test_root_without_apt_names_the_packages(self):
        self.remove_program("apt-get")
        status, said, calls = self.set_up("jansson")
        self.assertEqual((status, calls), (1, []))
        self.assertIn("takes apt-get, and root or sudo", said)
        self.assertIn("brew install jansson\n", said)


class Ctags(Machine):
    def setUp(self):
        super().setUp()
        self.install("lists")

    def test_another_ctags_is_not_enough(self):
        self.add_program("ctags", "echo Exuberant Ctags 5.9")
        _, said, calls = self.set_up("ctags")
        self.assertTrue(calls[0].endswith("universal-ctags"))

    def test_universal_ctags_is(self):
        self.add_program("ctags", "echo Universal Ctags 5.9.0")
        self.assertEqual(self.set_up("ctags"), (0, "", []))


class Table(unittest.TestCase):
    def rows(self):
        text = (FOLDER / "packages.txt").read_text()
        return [[cell.strip() for cell in line.split("|")]
                for line in text.splitlines() if not line.startswith("#")]

    def test_every_row_names_a_package_of_each_system(self):
        for row in self.rows():
            self.assertEqual(len(row), 5, row)
            self.assertTrue(all(row[:4]), row)

    def test_every_need_of_every_rung_has_a_row(self):
        known = {row[0] for row in self.rows()}
        for makefile in FOLDER.parents[1].glob("m[0-9]*/Makefile"):
            for line in makefile.read_text().splitlines():
                name, _, value = line.partition(" = ")
                if name in ("PACKAGES", "TEST_PACKAGES"):
                    self.assertLessEqual(set(value.split()), known, makefile)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""Tests of match.py with engines that lie, hang, die and play illegal moves."""
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import match  # noqa: E402

FAKE = f"{sys.executable} {os.path.join(HERE, 'fake_engine.py')}"


class MatchTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.book = self.path("book.epd")
        with open(self.book, "w", encoding="utf-8") as book:
            book.write("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n"
                       "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -\n")

    def path(self, name):
        return os.path.join(self.folder, name)

    def command(self, first, *more, second="honest", pairs=1):
        return [sys.executable, os.path.join(HERE, "match.py"), "-e", f"a={FAKE} {first}",
                "-e", f"b={FAKE} {second}", "--book", self.book, "--pairs", str(pairs),
                "--concurrency", "1", *more]

    def run_match(self, first, *more, limit=("--nodes", "10"), **kw):
        command = self.command(first, *limit, *more, **kw)
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)

    def expect_fault(self, mode, kind, **kw):
        done = self.run_match(mode, **kw)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(f"a {kind} x2", done.stdout)
        self.assertIn("position fen", done.stdout, "no commands to reproduce the fault")
        return done.stdout

    def test_honest_engines_have_no_faults(self):
        done = self.run_match("honest")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("faults: none", done.stdout)

    def test_illegal_and_null_moves_lose(self):
        for mode in ("illegal", "null"):
            self.assertIn("0-2-0 (W-L-D)", self.expect_fault(mode, "illegal"))

    def test_death_loses(self):
        self.assertIn("0-2-0 (W-L-D)", self.expect_fault("die", "crash"))

    def test_silence_is_a_stall(self):
        self.assertIn("0-2-0 (W-L-D)",
                      self.expect_fault("hang", "stall", limit=("--movetime", "10")))

    def test_overrun_clock_loses(self):
        self.assertIn("0-2-0 (W-L-D)", self.expect_fault("slow", "time", limit=("--tc", "0.3+0.01")))

    def test_lies_about_the_pv_are_faults_of_a_game_that_goes_on(self):
        for mode in ("pv-mismatch", "illegal-pv"):
            done = self.run_match(mode, "--show-faults", "3")
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"a {mode} x", done.stdout)
            self.assertNotIn("0-2-0 (W-L-D)", done.stdout)

    def test_faults_of_the_opponent_do_not_change_the_exit_status(self):
        done = self.run_match("honest", second="illegal")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("b illegal x2", done.stdout)
        self.assertIn("2-0-0 (W-L-D)", done.stdout)

    def test_a_program_that_is_not_there_ends_the_match(self):
        command = self.command("honest", "--nodes", "10")
        command[command.index("-e") + 1] = "a=/no/such/program"
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot play", done.stdout)

    def test_limits_for_one_engine(self):
        command = self.command("honest", "--pgn", self.path("games.pgn"))
        command[command.index("-e") + 1] += ";@depth=3"
        command[command.index("-e", 4) + 1] += ";@tc=1+0.1"
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        with open(self.path("games.pgn"), encoding="utf-8") as pgn:
            self.assertIn("{ +0.00/1 0.", pgn.read())

    def test_log_and_resume(self):
        log = self.path("log.jsonl")
        first = self.run_match("honest", "--log", log, pairs=2)
        with open(log, encoding="utf-8") as lines:
            lines = lines.readlines()
        self.assertEqual(len(lines), 3)
        # As if the match had been interrupted while the second pair was written.
        with open(log, "w", encoding="utf-8") as out:
            out.writelines([lines[0], lines[1], lines[2][:20]])
        second = self.run_match("honest", "--log", log, "--resume", pairs=2)
        summary = next(line for line in first.stdout.splitlines() if line.startswith("a v b"))
        self.assertIn(summary, second.stdout)
        other = self.run_match("strong", "--log", log, "--resume", pairs=2)
        self.assertIn("another match", other.stderr)

    def test_results_so_far_on_interrupt(self):
        process = subprocess.Popen(self.command("honest", "--nodes", "10", pairs=100_000),
                                   stdout=subprocess.PIPE, text=True)
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        shown, _ = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130)
        self.assertIn("interrupted", shown)
        self.assertRegex(shown, r"a v b: \d+-\d+-[1-9]\d* ")

    def test_sprt_stops_when_one_side_is_stronger(self):
        for first, second, verdict in (("strong", "honest", "accepted: stronger"),
                                       ("honest", "strong", "rejected: not stronger")):
            done = self.run_match(first, "--sprt", "0", "10", second=second, pairs=2_000)
            self.assertIn(verdict, done.stdout)

    def test_mistakes_are_refused(self):
        log = self.path("log.jsonl")
        open(log, "w", encoding="utf-8").close()
        done = self.run_match("honest", "--log", log)
        self.assertEqual(done.returncode, 2)
        self.assertIn("exists; --resume continues it", done.stderr)
        self.assertIn("ELO0 must be less", self.run_match("honest", "--sprt", "8", "0").stderr)
        done = self.run_match("honest;Nonsense=3")
        self.assertEqual(done.returncode, 2)
        self.assertIn("a has no option 'Nonsense'", done.stdout)


class StatisticsTest(unittest.TestCase):
    def test_known_values(self):
        tally = match.Tally()
        # Pentanomial counts and results as fastchess prints them for 100 pairs.
        for count, points in zip((5, 20, 45, 25, 5), ((0, 0), (0, .5), (.5, .5), (1, .5), (1, 1))):
            for _ in range(count):
                tally.add(points)
        n, mean, variance = tally.moments()
        self.assertEqual((n, mean), (100, 0.5125))
        self.assertAlmostEqual(match.elo(mean), 8.69, places=2)
        self.assertAlmostEqual(variance, (5 * .5125**2 + 20 * .2625**2 + 45 * .0125**2
                                          + 25 * .2375**2 + 5 * .4875**2) / 100)
        z = 0.0125 / math.sqrt(variance / 100)
        self.assertAlmostEqual(tally.los(), 0.5 * (1 + math.erf(z / math.sqrt(2))))
        self.assertAlmostEqual(tally.normalised_elo(),
                               0.0125 / math.sqrt(2 * variance) * 347.4355855, places=6)

    def test_llr_is_symmetric(self):
        better, worse = match.Tally(), match.Tally()
        for points in [(1, .5)] * 30 + [(.5, .5)] * 40 + [(.5, 0)] * 10:
            better.add(points)
            worse.add([1 - point for point in points])
        self.assertAlmostEqual(better.llr(0, 10), -worse.llr(-10, 0), places=9)
        self.assertGreater(better.llr(0, 10), 0)

    def test_mates_in_comments(self):
        comment = lambda score: match.comment(match.Answer("e2e4", 0.5, score, 7))
        self.assertEqual(comment(29_999), "+M1/7 0.500s")
        self.assertEqual(comment(-29_998), "-M4/7 0.500s")
        self.assertEqual(comment(-123), "-1.23/7 0.500s")

    def test_header_survives_json(self):
        spec = match.Spec.parse("a=x;Use NNUE=false;@nodes=5", None)
        self.assertEqual(spec.options, {"Use NNUE": "false"})
        self.assertEqual(spec.limit, match.Limit("nodes", 5))
        self.assertTrue(json.dumps(repr(spec.limit)))


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""The logic of benchmarks/micro/compare_baseline.py on made-up output of Google Benchmark. Usage: baseline_test.py FOLDER_OF_THE_SCRIPT"""
import json
import sys
import unittest

sys.path.insert(0, sys.argv.pop(1))
import compare_baseline as script  # noqa: E402


def output(**times):
    """As --benchmark_format=json gives it: repetitions, in ns, of each benchmark."""
    runs = [{"name": name, "run_type": "iteration", "cpu_time": time, "time_unit": "ns"} for name, values in times.items() for time in values]
    runs.append({"name": "a_mean", "run_type": "aggregate", "cpu_time": 1e9, "time_unit": "ns"})
    return {"benchmarks": runs}


def one(ratio, spread=0.01):
    return {"ratio": ratio, "spread": spread, "seconds": ratio * 1e-6}


class Results(unittest.TestCase):
    def test_medians_in_units_of_the_calibration(self):
        results, failed = script.results_of(output(calibration=[100, 101, 99], a=[300, 2000, 302], b=[50, 50, 50]), "p")
        self.assertAlmostEqual(results["p/a"]["ratio"], 3.02)
        self.assertAlmostEqual(results["p/a"]["seconds"], 302e-9)
        self.assertAlmostEqual(results["p/b"]["ratio"], 0.5)
        self.assertEqual((len(results), failed), (2, []))

    def test_units(self):
        text = output(calibration=[1000], a=[3])
        text["benchmarks"][1]["time_unit"] = "us"
        self.assertAlmostEqual(script.results_of(text, "p")[0]["p/a"]["ratio"], 3)

    def test_a_machine_twice_as_slow_changes_nothing(self):
        fast, _ = script.results_of(output(calibration=[10, 11, 10], a=[30, 31, 32]), "p")
        slow, _ = script.results_of(output(calibration=[20, 22, 20], a=[60, 62, 64]), "p")
        self.assertAlmostEqual(script.change(slow["p/a"], fast["p/a"]), 0)

    def test_errors_have_no_time(self):
        text = output(calibration=[10], a=[30])
        text["benchmarks"].append({"name": "b", "run_type": "iteration", "error_occurred": True, "cpu_time": 0, "time_unit": "ns"})
        results, failed = script.results_of(text, "p")
        self.assertEqual((list(results), failed), (["p/a"], ["b"]))

    def test_spread_does_not_see_one_outlier(self):
        self.assertLess(script.spread([100, 101, 99, 100, 900]), 0.02)
        self.assertGreater(script.spread([100, 150, 70, 120, 90]), 0.2)


class Verdicts(unittest.TestCase):
    def test_beyond_noise(self):
        self.assertEqual(script.verdict(one(1.2), one(1)), "slower")
        self.assertEqual(script.verdict(one(0.8), one(1)), "faster")
        self.assertEqual(script.verdict(one(1.05), one(1)), "same")

    def test_noise_is_estimated_from_the_repetitions(self):
        self.assertEqual(script.verdict(one(1.3, 0.1), one(1)), "same")
        self.assertEqual(script.verdict(one(1.3), one(1, 0.1)), "same")
        self.assertEqual(script.verdict(one(1.8, 0.1), one(1)), "slower")

    def test_the_second_measurement_has_to_agree(self):
        self.assertEqual(script.verdict(one(1.5), one(1), one(1.02)), "same")
        self.assertEqual(script.verdict(one(1.5), one(1), one(0.5)), "same")
        self.assertEqual(script.verdict(one(1.5), one(1), one(1.4)), "slower")

    def test_added_and_removed(self):
        self.assertEqual(script.verdict(one(1), None), "new")
        self.assertEqual(script.verdict(None, one(1)), "not run")


class Report(unittest.TestCase):
    def test_lists(self):
        before = {"p/same": one(1), "p/slow": one(1), "p/fast": one(1), "p/gone": one(1)}
        now = {"p/same": one(1), "p/slow": one(2), "p/fast": one(0.5), "p/fresh": one(1)}
        again = {"p/slow": one(1.9), "p/fast": one(0.5)}
        text = "\n".join(script.report(now, before, again, lambda name: True))
        self.assertIn("slower: 1\n  p/slow  2.00, again 1.90", text)
        self.assertIn("faster: 1\n  p/fast  0.50, again 0.50", text)
        self.assertIn("not in the baseline: p/fresh", text)
        self.assertIn("in the baseline, not measured: p/gone", text)
        self.assertIn("3 compared; ratio in the median 1.00", text)

    def test_nothing_stored(self):
        text = "\n".join(script.report({"p/a": one(1)}, {}, {}, lambda name: True))
        self.assertIn("slower: none", text)

    def test_what_is_not_selected_is_not_missed(self):
        text = "\n".join(script.report({"p/a": one(1)}, {"p/a": one(1), "q/b": one(1)}, {}, lambda name: name.startswith("p")))
        self.assertNotIn("q/b", text)


class Update(unittest.TestCase):
    def test_a_part_replaces_a_part(self):
        before = {"p/a": one(1), "p/b": one(1)}
        self.assertEqual(script.updated(before, {"p/a": one(2)}, lambda name: name == "p/a", {"p/a", "p/b"}), {"p/a": one(2), "p/b": one(1)})

    def test_what_is_gone_is_forgotten(self):
        before = {"p/a": one(1), "p/b": one(1)}
        self.assertEqual(script.updated(before, {"p/a": one(2)}, lambda name: True, {"p/a"}), {"p/a": one(2)})
        self.assertEqual(script.updated(before, {"p/a": one(2)}, lambda name: name == "p/a", {"p/a"}), {"p/a": one(2), "p/b": one(1)})

    def test_large_ones_that_are_left_out_stay(self):
        runner = script.Runner("folder", everything=False, only="")
        before = {"lcp_benchmark/a/2000": one(1), "lcp_benchmark/b": one(1)}
        now = {"lcp_benchmark/b": one(2)}
        self.assertEqual(script.updated(before, now, runner.selected, set(before)), {**before, **now})

    def test_one_that_fails_keeps_its_time(self):
        self.assertEqual(script.updated({"p/a": one(1)}, {}, lambda name: True, {"p/a"}), {"p/a": one(1)})

    def test_the_file_is_read_again(self):
        content = {"machine": "a \"machine\"", "benchmarks": {"p/a": one(1), "p/b": one(2)}}
        self.assertEqual(json.loads(script.text_of(content)), content)


if __name__ == "__main__":
    unittest.main()

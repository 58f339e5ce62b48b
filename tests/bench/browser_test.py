#!/usr/bin/env python3
"""A report in headless Chromium: no errors, nothing fetched, a click on a head sorts, on a name colours its curve, words filter rows.
Usage: browser_test.py NONSMOOTH DATA_FOLDER SCRATCH_FOLDER. Exit code 77 where there is no Chromium."""
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

# Runs behind the page's own script and leaves what it has seen in the page.
PROBE = """
<script>//<![CDATA[
var seen = {errors: errors, fetched: performance.getEntriesByType('resource').map(function (one) { return one.name; })};
var table = document.querySelector('table');
var column = function (index) {
  return Array.from(table.tBodies[0].rows).map(function (row) { return row.cells[index].dataset.s || row.cells[index].textContent; });
};
seen.heads = Array.from(table.tHead.rows[0].cells).map(function (cell) { return cell.textContent; });
seen.clicks = seen.heads.map(function (head, index) {
  var button = table.tHead.rows[0].cells[index].querySelector('button');
  button.click();
  var up = column(index), said = button.parentNode.getAttribute('aria-sort');
  button.click();
  return {up: up, said: said, down: column(index)};
});
var method = document.querySelector('svg .method');
var greys = function () {
  return Array.from(document.querySelectorAll('.method')).filter(function (one) { return one.dataset.method === method.dataset.method; })
    .map(function (one) { return one.classList.contains('grey'); });
};
seen.before = greys();
method.querySelector('.name').dispatchEvent(new MouseEvent('click', {bubbles: true}));
seen.after = greys();
var field = document.querySelector('input');
field.value = 'murty auto';
field.dispatchEvent(new Event('input', {bubbles: true}));
var rows = Array.from(field.closest('details').querySelector('table').tBodies[0].rows);
seen.shown = rows.filter(function (row) { return !row.hidden; }).map(function (row) { return row.textContent; });
seen.rows = rows.length;
seen.wide = Array.from(document.querySelectorAll('figure')).map(function (one) { return one.getBoundingClientRect().width; });
var result = document.createElement('pre');
result.id = 'seen';
result.textContent = JSON.stringify(seen);
document.body.appendChild(result);
//]]></script>
"""
WATCH = "<script>var errors = []; addEventListener('error', function (event) { errors.push(event.message); });</script>"


def chromium():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return name
    return None


def seen_by(browser, page, profile):
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
               "--disable-component-update", "--disable-sync", "--enable-logging=stderr", f"--user-data-dir={profile}", "--dump-dom",
               "file://" + page]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    found = re.search(r'<pre id="seen">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found, done.stderr[-2000:]
    return json.loads(html.unescape(found.group(1))), console


def number_or_text(cell):
    try:
        return float(cell)
    except ValueError:
        return cell


def check(seen, console):
    assert not console and not seen["errors"], (console, seen["errors"])
    assert not seen["fetched"], seen["fetched"]
    assert all(width > 300 for width in seen["wide"]) and seen["wide"], seen["wide"]
    moved = 0
    for head, click in zip(seen["heads"], seen["clicks"]):
        assert click["said"] == "ascending", head
        up, down = ([number_or_text(cell) for cell in click[way] if cell != ""] for way in ("up", "down"))
        if all(isinstance(cell, float) for cell in up):
            assert up == sorted(up) and down == sorted(up, reverse=True), (head, up, down)
        assert sorted(map(str, up)) == sorted(map(str, down)), head
        moved += up != down
    assert moved >= 3, "clicks do not sort"
    assert seen["before"] and all(a != b for a, b in zip(seen["before"], seen["after"])), "a click on a name changes no colour"
    assert 0 < len(seen["shown"]) < seen["rows"] and all("murty" in row for row in seen["shown"]), "the field does not filter"


def main(nonsmooth, data, scratch):
    browser = chromium()
    if browser is None:
        print("skipped: no Chromium")
        return 77
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        run, report, page = (os.path.join(folder, name) for name in ("run.jsonl", "report.html", "page.html"))
        subprocess.run([nonsmooth, "bench", data, "--only", "lcp_m", "--methods", "all", "--tolerance", "1e-4,1e-8", "--time-limit", "0.5", "-o",
                        run], check=True, capture_output=True)
        subprocess.run([nonsmooth, "compare", run, "-o", report], check=True)
        text = open(report, encoding="utf-8").read()
        with open(page, "w", encoding="utf-8") as file:
            file.write(text.replace("<head>", "<head>" + WATCH).replace("</body>", PROBE + "</body>"))
        check(*seen_by(browser, page, os.path.join(folder, "profile")))
    print("all passed")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

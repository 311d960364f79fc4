# SPDX-License-Identifier: GPL-2.0-or-later
"""The HTML: self-contained, well-formed, safe against what stands in the data, readable."""

import colorsys
import math
import re
from pathlib import Path

import pytest

import geoanon_qgis.report as room
from geoanon_qgis.report import (
    Bars,
    Column,
    Decision,
    Dots,
    Figure,
    Figures,
    Histogram,
    Paragraph,
    Reference,
    Report,
    Scatter,
    Section,
    Table,
    Wording,
    to_dict,
    to_html,
)
from geoanon_qgis.report.escaping import breakable

STYLE = Path(room.__file__).with_name("report.css").read_text(encoding="utf-8")

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=https://evil.example/x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</style><style>*{background:url(https://evil.example)}",
    "</svg></title></main>&lt;b&gt;",
    "javascript:alert(1)",
    "<!-- ]]> --> <?x ?> {0} {path} %s",
    r"$\frac{1}{$ \$ $x$ ^_",
    ' id="chart-1" href="#0a0b01" url(#x) #0a0c01',
    "nul \x00 bell \x07 lone \udc80 nonchar \uffff",
    "\u202eright to left",
    "_underscore",
    "",
)


def one(*blocks, **fields):
    return Report("T", (Section("S", blocks),), **fields)


def loads(page):
    """Everything that a browser would fetch without being asked to."""
    wanted = [
        v for name in ("src", "srcset", "data", "poster", "action") for v in page.values(name)
    ]
    wanted += [a["href"] for tag, a in page.tags if "href" in a and tag != "a"]
    wanted += page.values("xlink:href")
    return wanted


@pytest.mark.parametrize("private", [True, False])
def test_needs_nothing_but_itself(make_report, read, private):
    html = to_html(make_report(private=private))
    page = read(html)
    assert all(url.startswith(("data:image/png;base64,", "#")) for url in loads(page))
    assert [a["href"] for a in page.all("a")] == ["https://doi.org/10.1007/s10707-023-00000-0"]
    assert not page.all("script") and not page.all("link") and not page.all("iframe")
    # the only web address in the whole file is that link, once as text
    assert len(re.findall(r"https?:", html)) == 2
    assert "@import" not in html and not re.search(r"url\((?!#)", html)
    policy = [m["content"] for m in page.all("meta") if "http-equiv" in m]
    assert policy and policy[0].startswith("default-src 'none'")


def test_page_is_well_formed(report, read):
    page = read(to_html(report))
    ids = page.values("id")
    assert len(ids) == len(set(ids)) > 20
    for attribute in ("aria-labelledby",):
        assert set(page.values(attribute)) <= set(ids)
    targets = {url[1:] for url in loads(page) if url.startswith("#")}
    targets |= set(re.findall(r"url\(#([^)]*)\)", to_html(report)))
    assert targets and targets <= set(ids)


def test_is_accessible(report, read):
    page = read(to_html(report, Wording(lang="de")))
    assert page.all("html")[0]["lang"] == "de"
    assert len(page.all("h1")) == len(page.all("main")) == 1
    assert all(th.get("scope") in ("col", "row") for th in page.all("th"))
    assert [img["alt"] for img in page.all("img")] == ["Grey", "After"]
    drawings = page.all("svg")
    assert [svg["aria-label"] for svg in drawings] == [
        "A hill",
        "Kinds By kind.",
        "Found",
        "A cloud",
    ]
    assert all(svg["role"] == "img" for svg in drawings)


def test_private_report_opens_with_the_banner(make_report, read):
    html = to_html(make_report(private=True, private_note="Shows homes. Not for the press."))
    page = read(html)
    assert html.index('class="banner"') < html.index("<h1>")
    assert "Private: do not pass on" in page.text("strong")
    assert "Shows homes. Not for the press." in page.text("p")
    assert page.text("title") == ["Private: Voronoi masking"]


def test_general_banner_says_what_and_to_whom(make_report, read):
    banner = read(to_html(make_report(private=True))).text("p")[0]
    assert "original locations" in banner and "must not" in banner


def test_reports_are_private_unless_said_otherwise():
    assert 'class="banner"' in to_html(Report("T"))


def test_open_report_has_no_banner(make_report, read):
    html = to_html(make_report(private=False))
    assert 'class="banner"' not in html and "do not pass on" not in html
    assert read(html).text("title") == ["Voronoi masking"]


@pytest.mark.parametrize("hostile", HOSTILE)
def test_no_string_gets_out_of_its_slot(make_report, read, hostile):
    names = iter(range(1000))
    # column names must differ: a number behind the text
    report = make_report(
        lambda text: f"{text}{hostile}{next(names)}", private=True, private_note=hostile
    )
    wording = Wording(
        **{
            name: value if name.endswith("mark") else hostile.replace("{", "(").replace("}", ")")
            for name, value in vars(Wording()).items()
        }
    )
    harmless = read(to_html(make_report(lambda text: f"{text}{next(names)}", private=True)))
    for words in (None, wording):
        html = to_html(report, words)
        html.encode("utf-8")
        page = read(html)
        assert page.written == harmless.written
        assert set(page.drawn) <= {"defs", "g", "path", "clippath", "rect", "use", "text", "tspan"}
        assert not [a for _, a in page.tags for name in a if name.startswith("on")]
        assert all(url.startswith(("data:image/png;base64,", "#")) for url in loads(page))
        ids = page.values("id")
        assert len(ids) == len(set(ids))
        styles = page.text("style")
        assert len(styles) == 1 and styles[0].startswith("\n" + STYLE)
        assert "evil" not in styles[0]


@pytest.mark.parametrize("hostile", [text for text in HOSTILE if text.isprintable() and text])
def test_strings_arrive_unchanged(read, hostile):
    page = read(
        to_html(
            one(
                Paragraph(hostile),
                Bars(hostile, (hostile[:20],), (1,), hostile),
                Table((Column("a", hostile),), ((hostile,),), hostile),
            )
        )
    )
    for tag in ("p", "h3", "figcaption"):
        assert hostile.strip() in [text.strip() for text in page.text(tag)]
    assert hostile in page.text("th")
    drawn = " ".join("".join(page.text("text")).split())
    assert " ".join(hostile[:10].split()) in drawn


@pytest.mark.parametrize(
    "url, link",
    [
        ("10.1000/xyz_1(2)", "https://doi.org/10.1000/xyz_1(2)"),
        ("https://example.org/a?b=1&c=2", "https://example.org/a?b=1&c=2"),
        ("HTTP://example.org", "HTTP://example.org"),
        ("javascript:alert(1)", None),
        ("java\nscript:alert(1)", None),
        ("https://a b", None),
        ("data:text/html,x", None),
        ("file:///etc/passwd", None),
        ("ISBN 3-16-148410-0", None),
        ("", None),
    ],
)
def test_only_web_addresses_become_links(read, url, link):
    page = read(to_html(one(Reference("Text", url))))
    assert [a["href"] for a in page.all("a")] == ([link] if link else [])


def test_long_tables_are_cut_and_say_so(read):
    table = Table(("n",), [(n,) for n in range(100000, 101234)])
    page = read(to_html(one(table)))
    assert len(page.all("tr")) == 201
    said = [text for text in page.text("p") if "left out" in text]
    assert said == [
        "Rows shown: the first 200 of 1\u202f234; left out: 1\u202f034. "
        "The JSON form of this report holds them all."
    ]
    assert "left out" not in to_html(one(Table(("n",), [(1,)] * 200)))


def test_empty_table_says_so(read):
    assert "No rows." in read(to_html(one(Table(("a", "b"), ())))).text("p")


def test_numbers_stand_right_and_ids_are_not_grouped(read, report):
    page = read(to_html(report))
    assert "10001" in page.text("th") and "20\u202f000" in page.text("td")
    assert "1\u202f234.25" in page.text("td") and "2.50" in page.text("td")
    html = to_html(report)
    assert '<td class="number">2.50</td>' in html and '<th scope="row">10001</th>' in html


def test_a_column_of_whole_and_broken_numbers_has_its_points_below_each_other(read):
    page = read(to_html(one(Table(("n",), ((1,), (2.5,), (None,))))))
    assert page.text("td") == ["1.00", "2.50", "–"]


def test_headline_numbers(read, report):
    page = read(to_html(report))
    assert page.text("dd")[:4] == ["27\u202f119", "2.564", "half", "65.6"]
    assert "EPSG:28992" in page.text("dd") and "–" in page.text("dd")


def test_charts_without_matplotlib_are_tables(no_matplotlib, report, read):
    page = read(to_html(report))
    assert not page.all("svg") and not page.all("details")
    said = [text for text in page.text("p") if "matplotlib" in text]
    assert len(said) == 4
    assert "12\u202f345" in page.text("td")  # the histogram's count


def test_numbers_stand_behind_every_chart(report, read):
    page = read(to_html(report))
    assert len(page.all("svg")) == len(page.all("details")) == 4
    assert "12\u202f345" in page.text("td")


def test_values_beyond_the_axis_are_told(report):
    assert "Not drawn: larger values (2), up to 9.5\u202fm." in to_html(report)


def test_dots_that_are_not_drawn_are_told():
    dots = Dots("many", range(5001), range(5001))
    said = "Drawn: 1\u202f667 of 5\u202f001 dots, evenly picked."
    assert said in to_html(one(Scatter("S", (dots,), "x", "y")))
    assert "evenly picked" not in to_html(
        one(Scatter("S", (Dots("few", (1, 2, None), (3, 4, 5)),), "x", "y"))
    )


def test_empty_charts_say_so(read):
    page = read(
        to_html(
            one(
                Histogram.of("H", [], "x"),
                Bars("B", (), (), "x"),
                Scatter("S", (), "x", "y"),
            )
        )
    )
    assert page.text("p").count("There are no values to draw.") == 3 and not page.all("svg")


def test_same_report_same_bytes(make_report):
    assert to_html(make_report()) == to_html(make_report())


def test_two_equal_charts_share_no_id(read):
    chart = Bars("Kinds", ("a", "b"), (1, 2), "n")
    ids = read(to_html(one(chart, chart))).values("id")
    assert len(ids) == len(set(ids))


def test_words_can_be_given_in_another_language(make_report):
    wording = Wording(
        lang="de", private_title="Vertraulich: nicht weitergeben", decimal_mark=",", group_mark="."
    )
    html = to_html(make_report(private=True), wording)
    assert "<strong>Vertraulich: nicht weitergeben</strong>" in html
    assert "27.119" in html and "2,564" in html and "do not pass on" not in html


def test_figures_keep_their_given_decimals(read):
    figures = Figures((Figure("a", "A", 3, decimals=2), Figure("b", "B", 51.5, "%", decimals=3)))
    assert read(to_html(one(figures))).text("dd") == ["3.00", "51.500"]


# --- the style sheet -----------------------------------------------------------------------


def colours(block):
    return dict(re.findall(r"(--[\w-]+): (#[0-9a-f]{6});", block))


LIGHT = colours(STYLE.split("@media", 1)[0])
DARK = {**LIGHT, **colours(STYLE.split("@media screen", 1)[1].split("}", 1)[0])}


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one_colour, other):
    low, high = sorted((luminance(one_colour), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_contrast(theme):
    for text in ("--ink", "--ink-soft", "--link", "--danger"):
        for ground in ("--paper", "--page"):
            assert contrast(theme[text], theme[ground]) >= 4.5, (text, ground)
    for kind in ("info", "warning", "danger"):
        assert contrast(theme[f"--{kind}"], theme[f"--{kind}-tint"]) >= 4.5, kind
        assert contrast(theme["--ink"], theme[f"--{kind}-tint"]) >= 4.5, kind
    for number in range(1, 6):
        assert contrast(theme[f"--series-{number}"], theme["--paper"]) >= 3, number
    banner = re.search(r"\.banner \{[^}]*background: (#\w+);\s*color: (#\w+);", STYLE)
    assert contrast(*banner.groups()) >= 7


def dark_map(colour):
    """A colour of a picture as the page shows it on a dark screen: its filter, as CSS defines it."""
    invert, turn = re.search(r"filter: invert\(([\d.]+)\) hue-rotate\((\d+)deg\)", STYLE).groups()
    light = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    light = [float(invert) + (1 - 2 * float(invert)) * part for part in light]
    cos, sin = math.cos(math.radians(int(turn))), math.sin(math.radians(int(turn)))
    weights = (0.213, 0.715, 0.072)
    of_sine = ((-0.213, -0.715, 0.928), (0.143, 0.14, -0.283), (-0.787, 0.715, 0.072))
    turned = [
        sum(
            (one + cos * ((to == of) - one) + sin * of_sine[to][of]) * light[of]
            for of, one in enumerate(weights)
        )
        for to in range(3)
    ]
    return "#" + "".join(f"{round(255 * min(max(part, 0), 1)):02x}" for part in turned)


def hue(colour):
    return colorsys.rgb_to_hls(*(int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)))[0]


def test_a_map_is_dark_on_dark_screens_and_its_colours_stay():
    """Blue is blue on dark paper, and what can be told from white paper from dark paper, too."""
    pytest.importorskip("qgis")
    from geoanon_qgis.processing.styling import PALETTE

    paper = dark_map("#ffffff")
    assert luminance(paper) < 0.01 and contrast(paper, DARK["--ink"]) > 12
    assert DARK["--frame"] == paper
    for name, colour in PALETTE.items():
        seen = dark_map(colour)
        assert contrast(seen, paper) >= 0.97 * min(3, contrast(colour, "#ffffff")), name
        red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
        if max(red, green, blue) - min(red, green, blue) > 60:  # else it is nearly grey
            away = abs(hue(seen) - hue(colour))
            assert min(away, 1 - away) < 0.06, name


def test_a_table_with_many_columns_goes_on_below_itself(read):
    columns = tuple(f"c{number}" for number in range(26))
    page = read(to_html(one(Table(columns, (tuple(range(26)), tuple(range(26)))))))
    assert len(page.all("table")) == 3
    headings = page.text("th")
    # Each part begins with what names the row, and nothing is left out or told twice.
    assert headings.count("c0") == headings.count("c1") == 3
    assert sorted(headings[2:]) == sorted([*columns[2:], *("c0", "c1") * 2])
    assert len(page.all("tr")) == 3 * 3
    few = read(to_html(one(Table(columns[:13], (tuple(range(13)),)))))
    assert len(few.all("table")) == 1


@pytest.mark.parametrize(
    "word, broken",
    [
        ("POPULATION_FIELD", "POPULATION_|FIELD"),
        ("/home/some/where/points.gpkg", "/|home/|some/|where/|points.|gpkg"),
        ("SIZE_BY=distance,LAW=donut", "SIZE_|BY=|distance,|LAW=|donut"),
        ("1,234,567,890.123456", "1,234,567,890.123456"),
        ("2030-12-31T12:00:00", "2030-12-31T12:|00:|00"),
        ("a_name", "a_name"),
        ("Abkürzungsverzeichnis", "Abkürzungsverzeichnis"),
        ("0123456789abcdef" * 4, "|".join(["0123456789abcdef"] * 4)),
        ("<script>alert=1</script>", "&lt;script&gt;alert=|1&lt;/|script&gt;"),
    ],
)
def test_long_names_are_broken_between_their_parts_alone(word, broken):
    assert breakable(word).replace("<wbr>", "|") == broken
    assert breakable(f"See {word} there") == f"See {breakable(word)} there"


def test_no_cell_of_a_table_is_broken_anywhere():
    assert "overflow-wrap: anywhere" not in re.search(r"\ntable \{.*?@media", STYLE, re.S)[0]


def test_themes_and_paper():
    assert "@media screen and (prefers-color-scheme: dark)" in STYLE  # never on paper
    assert "@media print" in STYLE and "print-color-adjust: exact" in STYLE
    assert set(re.findall(r"var\((--[\w-]+)\)", STYLE)) <= set(LIGHT)


def test_writing_asks_before_every_block_and_leaves_nothing_when_it_is_told_to_stop(
    make_report, tmp_path
):
    report = make_report(private=True)
    sections = (*report.sections, report.audit.section)
    blocks = sum(len(section.blocks) for section in sections)
    asked = []
    whole = to_html(report, ask=lambda: asked.append(1))
    assert len(asked) == blocks > 5 and whole == to_html(report)

    class Stop(Exception):
        pass

    def stop():
        asked.append(1)
        if len(asked) > blocks + 3:
            raise Stop

    with pytest.raises(Stop):
        room.write_html(report, tmp_path / "r.html", ask=stop)
    assert list(tmp_path.iterdir()) == []


def test_a_report_opens_with_its_decision():
    """Before every section; what belongs to one label stands below it once; nothing acts."""
    box = Decision(
        "not_tested",
        "warning",
        "Not <yet>",
        "Nobody knows.",
        [("Whom", "A & B"), ("Next", "first"), ("Next", "<script>")],
        {"decision": "not_tested"},
    )
    made = Report("Title", [Section("First", [Paragraph("text")])], decision=box)
    page = to_html(made)
    assert page.index("Not &lt;yet&gt;") < page.index("<h2")
    assert page.count("<dt>Next</dt>") == 1 and "<dd>first</dd><dd>&lt;script&gt;</dd>" in page
    assert to_dict(made)["verdict"] == {"decision": "not_tested"}


def test_a_decision_has_a_kind():
    with pytest.raises(ValueError, match="kind"):
        Decision("not_tested", "blue", "Title", "Text")


def test_the_audit_is_a_page_of_its_own_and_comes_last(report, read):
    html = to_html(report)
    page = read(html)
    sections = [attributes.get("class") for attributes in page.all("section")]
    assert sections[-1] == "audit" and sections.count("audit") == 1
    assert html.index("Begun.") > html.index("Somebody (2023)")
    assert "break-before: page" in STYLE[STYLE.index("@media print") :]
    assert "/a/b.gpkg" not in html  # the facts are for programs


def test_two_pages_can_be_printed_without_a_script(report, read):
    page = read(to_html(report))
    (box,) = page.all("input")
    assert box["type"] == "checkbox" and {"for": box["id"]} in page.all("label")
    assert Wording().two_pages in page.text("label")
    assert not read(to_html(one(Paragraph("no audit")))).all("input")


def test_what_is_filled_in_by_hand_has_a_line(report, read):
    page = read(to_html(report))
    assert {"By whom", "Why"} <= set(page.text("dt"))

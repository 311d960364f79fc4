# SPDX-License-Identifier: GPL-2.0-or-later
"""The inspector without its window: which layers belong together, what is said, who is withheld."""

import pytest
from qgis.core import QgsPointXY, QgsVectorLayer
from qgis.PyQt.QtCore import QCoreApplication

from geoanon_qgis.core.runtime.errors import InputError
from geoanon_qgis.desktop import evidence as ev
from geoanon_qgis.desktop import withheld
from geoanon_qgis.desktop.attacks import attack_of, percent
from geoanon_qgis.desktop.companions import companions, main_layer, possible_keys
from geoanon_qgis.desktop.evidence import Inspection
from geoanon_qgis.desktop.picking import row_at
from geoanon_qgis.desktop.why import why
from geoanon_qgis.processing import styling
from geoanon_qgis.processing.families import withholding
from geoanon_qgis.processing.families.attacking import outputs as of_mask
from geoanon_qgis.processing.families.linkage import outputs as of_linkage
from geoanon_qgis.processing.layers import keys
from geoanon_qgis.processing.styling.origin import FINDINGS, RELEASES, told
from tests.processing.helpers import layer, records, run

#: Places of four people, and where they were released.
HOMES = [(1000.0, 1000.0), (1100.0, 1000.0), (1200.0, 1000.0), (1300.0, 1000.0)]
RELEASED = [(x, y + 20) for x, y in HOMES]


def fields(output) -> str:
    """The declared fields of an output as a memory layer spells them."""
    kinds = {"long": "integer", "int": "integer"}
    return ",".join(f"{one.name}:{kinds.get(one.kind, one.kind)}" for one in output.fields)


def declared(outputs, name):
    return next(one for one in outputs if one.name == name)


def adopt(project, made, output, role, run="", inputs=None):
    """Put a layer into the project as a run does; without a name of it, as somebody opens a file."""
    project.addMapLayer(made)
    if run:
        family = RELEASES if run == "mask" else FINDINGS
        origin = styling.Origin(run, output, role, "people", family, 0, inputs or {})
        styling.adopt(made, origin, made.name(), project)
    return made


def guesses(project, run="attack", inputs=None, scored=True):
    """Record 1 is found, 2 and 3 are wrong or one of two, 4 is unsure."""
    rows = [
        ("1", 0.99, 1, 1.02, 0.99, None),
        ("2", 0.60, 1, 2.00, 0.40, None),
        ("3", 0.50, 2, 2.00, 0.50, None),
        ("4", 0.10, 1, 12.0, 0.10, 0.97),
    ]
    if not scored:
        rows = [(*row[:4], None, None) for row in rows]
    at = [HOMES[0], (1150.0, 1000.0), HOMES[2], HOMES[3]]
    output = declared(of_mask.OUTPUTS, "OUTPUT")
    made = layer(at, fields=fields(output), rows=rows, name="Guesses")
    return adopt(project, made, "OUTPUT", styling.GUESSED, run, inputs)


def a_key(
    project,
    run="mask",
    order=(0, 1, 2, 3),
):
    rows = [
        (row + 1, f"p{row}", "person", *HOMES[who], "EPSG:27700") for row, who in enumerate(order)
    ]
    spelt = "masked_id:integer,original_id:string,id_field:string"
    spelt += ",original_x:double,original_y:double,crs:string"
    made = layer([None] * 4, kind="None", crs="", fields=spelt, rows=rows, name="Key")
    return adopt(project, made, "KEY", styling.KEY, run)


def a_release(project, run="mask"):
    rows = [(row + 1,) for row in range(4)]
    made = layer(RELEASED, fields="masked_id:integer", rows=rows, name="Masked points")
    return adopt(project, made, "OUTPUT", styling.MASKED, run)


def candidates(project, run="attack"):
    rows = [("2", "candidate", 0.6, 1), ("2", "candidate", 0.4, 2), ("2", "home", 0.4, None)]
    at = [(1150.0, 1000.0), HOMES[1], HOMES[1]]
    output = declared(of_mask.OUTPUTS, "CANDIDATES_OF")
    made = layer(at, fields=fields(output), rows=rows, name="Addresses")
    return adopt(project, made, "CANDIDATES_OF", styling.EXPLAINING, run)


def support(project, run="mask"):
    boxes = [
        f"POLYGON(({x - 30} {y - 30},{x + 30} {y - 30},{x + 30} {y + 30},{x - 30} {y + 30},"
        f"{x - 30} {y - 30}))"
        for x, y in HOMES
    ]
    rows = [(f"p{row}",) for row in range(4)]
    made = layer(boxes, kind="Polygon", fields="original_id:string", rows=rows, name="Support")
    return adopt(project, made, "SUPPORT", styling.SUPPORT, run)


def everything(project):
    """An attack as it was run with its key, and the layers of the mask before it."""
    release, key = a_release(project), a_key(project)
    support(project)
    candidates(project)
    return guesses(project, inputs={"INPUT": told(release), "KEY": told(key)})


def inspection(project, main, key=None):
    return Inspection(project, main, attack_of(main), key)


def look(found, name):
    return found.look(found.records.ids.index(name))


def test_the_riskiest_come_first_by_both_adversaries(project):
    found = inspection(project, guesses(project))
    assert found.records.ids == ["1", "4", "2", "3"]
    assert [round(float(one), 2) for one in found.records.risk] == [0.99, 0.97, 0.6, 0.5]


def test_a_record_is_shown_with_all_that_its_run_has_loaded(project):
    main = everything(project)
    other = candidates(project, "another attack")
    assert companions(project, main, attack_of(main))["CANDIDATES_OF"].id() != other.id()
    shown = look(inspection(project, main), "2")
    kinds = [one.what for one in shown.marks]
    for what in (ev.SUPPORT, ev.CANDIDATE, ev.RELEASED, ev.HOME, ev.LINK, ev.TRUE_LINK):
        assert what in kinds, kinds
    assert [one.probability for one in shown.of(ev.CANDIDATE)] == [0.6, 0.4]
    assert shown.of(ev.HOME)[0].geometry.asPoint().x() == HOMES[1][0]
    assert shown.of(ev.RELEASED)[0].geometry.asPoint().y() == RELEASED[1][1]
    assert shown.released_inside == 1


def test_sentences_say_why_and_whether_it_is_right(project):
    found = inspection(project, everything(project))
    first, second, third, fourth = (why(found, look(found, one)) for one in "1234")
    assert "99" in first[0] and first[-1].startswith("By the key he is right")
    assert "2 addresses explain the point" in second[0] and "60\u00a0%" in second[0]
    assert "he gives the true address 40\u00a0%" in second[-1]
    assert "cannot tell 2 addresses apart" in third[0]
    assert third[-1] == "By the key the true address is one of the likeliest."
    # What puts it into the list comes first.
    assert "which record is hers" in fourth[0] and "97\u00a0%" in fourth[0]
    assert "No other released point" in fourth[0]


def test_without_a_key_nothing_is_said_of_the_truth(project):
    found = inspection(project, guesses(project, scored=False))
    shown = look(found, "2")
    assert shown.truth is None and not shown.of(ev.HOME)
    assert "the layer does not say" in why(found, shown)[-1]


def test_files_that_were_opened_belong_together_only_if_nobody_doubts_it(project):
    main = guesses(project, run="")
    shown = candidates(project, run="")
    a_key(project, run="")
    there = companions(project, main, attack_of(main))
    assert there == {"CANDIDATES_OF": shown}  # never a key, which nobody has named
    guesses(project, run="")
    assert companions(project, main, attack_of(main)) == {}


def test_another_layer_of_the_attack_leads_to_its_main_one(project):
    main = everything(project)
    of_it = next(one for one in project.mapLayers().values() if "Addresses" in one.name())
    assert main_layer(project, of_it).id() == main.id()
    assert main_layer(project, layer(HOMES)) is None
    assert [one.name() for one in possible_keys(project)] == ["Private: Key · people"]


def test_a_key_of_another_release_is_refused(project):
    main = guesses(project, run="")
    with pytest.raises(InputError, match="names none of these records"):
        other = a_key(project, run="")
        for one in other.getFeatures():
            other.dataProvider().changeAttributeValues({one.id(): {0: one[0] + 100}})
        inspection(project, main, other)


def test_a_key_whose_people_live_elsewhere_is_refused(project):
    output = declared(of_mask.OUTPUTS, "OUTPUT")
    rows = [(str(row + 1), 0.9, 1, 1.1, 0.9, None) for row in range(4)]
    main = layer(HOMES, fields=fields(output), rows=rows, name="Guesses")
    project.addMapLayer(main)
    good, bad = a_key(project, ""), a_key(project, "", order=(3, 2, 1, 0))
    assert inspection(project, main, good).doubt == ""
    with pytest.raises(InputError, match="belongs to another release"):
        inspection(project, main, bad)


def test_a_key_that_nobody_can_check_is_told(project):
    found = inspection(project, guesses(project, "", scored=False), a_key(project, ""))
    assert "Nobody has checked" in why(found, look(found, "1"))[-1]


def test_a_mark_is_a_layer_that_masks_take(project):
    main = everything(project)
    found = inspection(project, main)
    assert withheld.toggle(found, look(found, "2"))
    QCoreApplication.processEvents()
    marks = withheld.layer_of(found)
    (row,) = records(marks)
    assert (row["masked_id"], row["original_id"], row["id_field"]) == ("2", "p1", "person")
    assert (row["original_x"], row["why"]) == (HOMES[1][0], "marked")
    assert styling.origin_of(marks).role == styling.AT_RISK
    assert marks.name() == "Private: Records to withhold, by hand · people"
    # Taken back and marked again; a second inspection finds the same layer.
    assert not withheld.toggle(found, look(found, "2"))
    assert withheld.toggle(inspection(project, main), look(found, "2"))
    assert withheld.marked(found) == {"2"} and withheld.layer_of(found) is marks
    rows = [(f"p{row}",) for row in range(4)]
    people = layer(HOMES, fields="person:string", rows=rows)
    masked = run(
        "maskdisplace",
        {"INPUT": people, "LAW": "disc", "MAX": 50, "WITHHOLD": marks, "SEED": 1}
        | {"ID_FIELD": "person", "OUTPUT": "TEMPORARY_OUTPUT", "KEY": "TEMPORARY_OUTPUT"},
    )
    assert {one["original_id"] for one in records(masked["KEY"])} == {"p0", "p2", "p3"}


def test_a_guess_is_not_withheld(project):
    found = inspection(project, guesses(project, scored=False))
    with pytest.raises(InputError, match="only a guess"):
        withheld.toggle(found, look(found, "2"))
    assert withheld.layer_of(found) is None
    # Of whom the attack is sure, it wants them withheld itself.
    assert withheld.toggle(found, look(found, "1"))


def test_marks_begin_with_those_of_the_attack_and_are_named_alike(project):
    main = everything(project)
    rows = [("1", None, None, *HOMES[0], "EPSG:27700", "found", 0.99)]
    made = layer([HOMES[0]], fields=fields(withholding.OUTPUT), rows=rows, name="At risk")
    adopt(project, made, "AT_RISK", styling.AT_RISK, "attack")
    found = inspection(project, main)
    assert withheld.marked(found) == {"1"}
    withheld.toggle(found, look(found, "3"))
    rows = {row["masked_id"]: row for row in records(withheld.layer_of(found))}
    assert set(rows) == {"1", "3"}
    # One of them has no id, so a mask is to find both by their places.
    assert all(row["original_id"] is None and row["original_x"] for row in rows.values())
    assert made.featureCount() == 1


def test_a_click_means_the_nearest_of_what_was_found_and_released(project):
    found = inspection(project, everything(project))
    crs = found.layer.crs()

    def clicked(x, y, within=15.0):
        row = row_at(found, QgsPointXY(x, y), within, crs)
        return None if row is None else found.records.ids[row]

    assert clicked(HOMES[3][0] + 2, HOMES[3][1]) == "4"
    assert clicked(RELEASED[1][0], RELEASED[1][1] + 5) == "2"
    assert clicked(0, 0) is None


@pytest.mark.parametrize(
    ("kind", "pairs", "rivals", "correct", "word"),
    [
        ("singleton", 1, 0, 1, "no other two fit"),
        ("pair", 1, 0, 0, "two records met there"),
        ("unmoved", 0, 0, None, "was not moved"),
        ("ambiguous", 3, 1, 0, "3 pairs of places"),
        ("unresolved", 0, 0, None, "nothing was found"),
    ],
)
def test_a_reversal_is_explained(project, kind, pairs, rivals, correct, word):
    spelt = "masked_id:integer,candidate_id:integer,kind:string,probability:double"
    spelt += ",pairs:integer,rivals:integer,correct:integer"
    row = (1, 5, kind, 0.5, pairs, rivals, correct)
    main = adopt(
        project, layer([(10.0, 0.0)], fields=spelt, rows=[row]), "OUTPUT", styling.FOUND, "r"
    )
    links = layer(["LINESTRING(0 0, 10 0)"], kind="LineString", fields=spelt, rows=[row])
    adopt(project, links, "LINKS", styling.LINKS, "r")
    found = inspection(project, main)
    shown = look(found, "1")
    assert word in why(found, shown)[0]
    if kind == "pair":
        (partner,) = shown.of(ev.PARTNER)
        assert partner.geometry.asPoint().x() == -10.0 and partner.probability == 0.5
        assert "he is wrong" in why(found, shown)[-1]
    assert bool(shown.of(ev.GUESS)) == (kind != "unresolved")


def test_a_clique_s_support_is_not_told_as_a_probability(project):
    output = declared(of_linkage.LAYERS, "OUTPUT")
    rows = [(7, "a", 1, 1, 0.2, None), (8, "b", 1, None, 0.9, 1), (9, None, 0, None, None, None)]
    main = layer(HOMES[:3], fields=fields(output), rows=rows)
    found = inspection(project, adopt(project, main, "OUTPUT", styling.LINKED, "l"))
    assert found.records.ids == ["b", "a"]  # by the key found; nobody was linked to the third
    assert "90\u00a0%" in why(found, look(found, "b"))[0]
    assert "%" not in why(found, look(found, "a"))[0]


def test_microdata_are_told_by_how_near_the_release_comes(project):
    spelt = "original_id:integer,distance:double,relative_distance:double,nearest_id:string"
    spelt += ",right:double,verbatim:integer,only_one:integer,too_near:integer"
    rows = [
        (1, 0.5, 0.25, "x", None, 0, 1, 0),
        (2, 0.0, 0.0, "y", 1.0, 1, 1, 0),
        (3, 0.1, 0.1, "z", None, 0, 1, 1),
        (4, None, None, None, None, None, None, None),
        (5, 0.0, None, "y", None, 1, 0, 0),
    ]
    main = layer([None] * 5, kind="None", crs="", fields=spelt, rows=rows)
    found = inspection(project, adopt(project, main, "OUTPUT", styling.MEASURED, "d"))
    assert found.records.ids == ["2", "3", "5", "1"]
    said = [found.attack.told(float(one)) for one in found.records.risk]
    assert said[:2] == ["released as it is", "too near"] and said[3].startswith("25")
    assert "nobody else has these values" in why(found, look(found, "2"))[0]
    with pytest.raises(InputError, match="by hand"):
        withheld.toggle(found, look(found, "2"))


def test_other_layers_are_no_attacks(project):
    assert attack_of(layer(HOMES, fields="masked_id:integer,probability:double")) is None
    assert attack_of(QgsVectorLayer("nothing", "nothing", "ogr")) is None
    assert attack_of(None) is None


@pytest.mark.parametrize(
    ("share", "said"),
    [(1.0, "100\u00a0%"), (0.9999, "over 99 %"), (0.5, "50\u00a0%"), (0.001, "below 1 %")],
)
def test_what_is_not_certain_is_not_told_as_certain(share, said):
    assert percent(share) == said


def test_the_key_shape_is_that_of_masks():
    assert {keys.ORIGINAL, keys.ID_FIELD} <= {one.name for one in keys.output("masked_id").fields}


def test_a_key_by_which_the_attack_scored_nothing_is_not_used(project):
    release, key = a_release(project), a_key(project)
    read = {"INPUT": told(release), "KEY": told(key)}
    found = inspection(project, guesses(project, inputs=read, scored=False))
    shown = look(found, "2")
    assert found.key is None and shown.truth is None and not shown.of(ev.HOME)
    assert "scored nothing by it" in why(found, shown)[-1]


def test_layers_that_come_and_go_are_noticed(project):
    found = inspection(project, everything(project))
    assert found.is_up_to_date()
    project.addMapLayer(layer(HOMES))
    assert found.is_up_to_date()  # it has nothing to do with the attack
    project.removeMapLayer(found.layers["CANDIDATES_OF"].id())
    assert not found.is_up_to_date()
    found = inspection(project, found.layer)
    assert "CANDIDATES_OF" not in found.layers and found.is_up_to_date()
    assert look(found, "2").of(ev.GUESS)
    project.removeMapLayer(found.layer.id())
    assert not found.is_up_to_date()

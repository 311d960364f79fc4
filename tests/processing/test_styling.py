# SPDX-License-Identifier: GPL-2.0-or-later
"""What layers look like, and that it happens when QGIS loads them."""

import gc
from itertools import combinations

import numpy as np
import pytest
from qgis.core import (
    NULL,
    QgsExpression,
    QgsExpressionContext,
    QgsExpressionContextUtils,
    QgsFeature,
    QgsGeometry,
    QgsLayerNotesUtils,
    QgsMarkerLineSymbolLayer,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProject,
    QgsRenderContext,
    QgsVectorLayer,
    QgsWkbTypes,
)
from qgis.PyQt.QtCore import QCoreApplication
from qgis.PyQt.QtGui import QColor

from geoanon_qgis.processing import styling
from geoanon_qgis.processing.styling import loading
from geoanon_qgis.processing.styling.origin import FINDINGS, RELEASES

LINES = (
    styling.SHIFTS,
    styling.MOVES,
    styling.LINKS,
    styling.DISTANCE_KEPT,
    styling.LINK_LINES,
    styling.DRAWN_LINES,
    styling.AREA,
)
TABLES = (
    styling.COUNTS,
    styling.KEY,
    styling.RECORDS,
    styling.LOOKUP,
    styling.AREA_RECORDS,
    styling.SYNTHETIC,
    styling.ANONYMIZED_TABLE,
    styling.MEASURED,
)
POLYGONS = (
    styling.CELLS,
    styling.AGGREGATED,
    styling.RELEASED_AREAS,
    styling.COUNTED_AREAS,
    styling.REGIONS,
    styling.AREA_LABELS,
    styling.CLUSTERS,
    styling.DENSITY,
    styling.DENSITY_CHANGE,
)
SHAPES = {
    **dict.fromkeys(LINES, "LineString"),
    **dict.fromkeys(TABLES, "None"),
    **dict.fromkeys(POLYGONS, "Polygon"),
}
FIELDS = (
    "field=masked_id:int&field=kind:string&field=correct:int&field=records:int"
    "&field=shift_m:double&field=probability:double&field=original_id:int"
    "&field=released_id:int&field=ratio:double&field=distance:double&field=released:double"
    "&field=set:int&field=point:int&field=target_id:string&field=in_clique:int"
    "&field=in_every:int&field=support:double&field=area_id:int&field=regions:int"
    "&field=classes:int&field=smallest:int&field=suppressed:int&field=share:double"
    "&field=ambiguity:double&field=uncertainty:double&field=reference_distance:double"
    "&field=relative_distance:double&field=class:int&field=class_size:int&field=small:int"
)
KINDS = ("singleton", "pair", "unmoved", "ambiguous", "unresolved")


def a_layer(role, name="name"):
    shape = SHAPES.get(role, "Point")
    return QgsVectorLayer(f"{shape}?crs=EPSG:27700&{FIELDS}", name, "memory")


@pytest.fixture
def project():
    QgsProject.instance().clear()
    yield QgsProject.instance()
    QgsProject.instance().clear()


def legend(layer):
    return [item.label() for item in layer.renderer().legendSymbolItems()]


@pytest.mark.parametrize("role", [role for role in styling.ROLES if role not in TABLES])
def test_every_role_can_be_drawn(role):
    layer = a_layer(role)
    styling.style(layer, role)
    assert layer.isValid() and layer.renderer().legendSymbolItems()
    assert layer.renderer().dump() == styling.renderer(role, styling.marker_size(0)).dump()


@pytest.mark.parametrize(
    ("role", "type_of_renderer", "words"),
    [
        (
            styling.FOUND,
            "categorizedSymbol",
            ["one place", "one of two", "did not move", "Ambiguous", "Unresolved"],
        ),
        (
            styling.SCORED,
            "RuleRenderer",
            ["one place", "one of two", "did not move", "Ambiguous", "Unresolved", "Wrong"],
        ),
        (styling.SHIFTS, "categorizedSymbol", ["alone", "halfway", "Did not move"]),
        (styling.LINKS, "categorizedSymbol", ["one place", "one of two", "not move", "several"]),
        (styling.CELLS, "RuleRenderer", ["one record", "several records"]),
        (styling.GUESSED, "RuleRenderer", ["Sure", "50 to 95", "9 to 50", "Below 9"]),
        (
            styling.EXPLAINING,
            "RuleRenderer",
            ["Home", "Released", "50 % or more", "9 to 50", "1 to 9", "below 1"],
        ),
        (
            styling.DISTANCE_KEPT,
            "graduatedSymbol",
            ["90 to 100", "75 to 90", "50 to 75", "25 to 50", "below 25", "Longer"],
        ),
        (styling.LINKED, "RuleRenderer", ["right", "wrong", "truth unknown", "Not matched"]),
        (styling.LINK_LINES, "RuleRenderer", ["same person", "wrong person"]),
    ],
)
def test_the_legend_speaks(role, type_of_renderer, words):
    layer = a_layer(role)
    styling.style(layer, role)
    assert layer.renderer().type() == type_of_renderer
    labels = legend(layer)
    assert len(labels) == len(words)
    for label, word in zip(labels, words):
        assert word in label


def test_addresses_that_explain_a_record_are_labelled_with_what_they_come_to():
    layer = QgsVectorLayer(
        "Point?field=masked_id:string&field=what:string&field=probability:double", "why", "memory"
    )
    styling.style(layer, styling.EXPLAINING)
    assert layer.labelsEnabled()
    written = QgsExpression(layer.labeling().settings().fieldName)
    rows = [("7", "candidate", 0.874), ("7", "candidate", 0.004), ("7", "released", None)]
    said = []
    for row in rows:
        feature = QgsFeature(layer.fields())
        feature.setAttributes(list(row))
        context = QgsExpressionContext()
        context.setFeature(feature)
        context.setFields(layer.fields())
        said.append(written.evaluate(context))
    assert said[0] == "87 %" and said[2] == "7"
    assert not said[1]
    led = [one.symbol() for one in layer.renderer().rootRule().children()]
    to = [one.symbolLayer(1).geometryExpression() for one in led if one.symbolLayerCount() == 2]
    assert len(to) == 4 and all('"released_x", "released_y"' in one for one in to)


@pytest.mark.parametrize("role", [styling.FOUND, styling.SCORED])
def test_each_kind_has_its_own_symbol(role):
    renderer = styling.renderer(role, 2.0)  # the symbols live as long as this and the items
    items = renderer.legendSymbolItems()[:5]
    looks = [(i.symbol().color().name(), i.symbol().symbolLayer(0).shape()) for i in items]
    assert len(set(looks)) == 5
    assert len({colour for colour, _ in looks}) == 5


def test_every_kind_of_the_engine_has_a_symbol():
    from geoanon_qgis.core.attacks.voronoi.result import KIND_NAMES

    renderer = styling.renderer(styling.FOUND, 2.0)
    assert {category.value() for category in renderer.categories()} == set(KIND_NAMES)


# Machado, Oliveira and Fernandes (2009), full severity, for linear RGB.
PROTANOPIA = [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
]
DEUTERANOPIA = [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.011820, 0.042940, 0.968881],
]
TRITANOPIA = [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.303900],
]
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab(colour, seen_as):
    rgb = np.array(QColor(colour).getRgbF()[:3])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    xyz = TO_XYZ @ np.clip(np.array(seen_as) @ linear, 0, 1) / (0.9505, 1.0, 1.089)
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("seen_as", [np.eye(3), PROTANOPIA, DEUTERANOPIA, TRITANOPIA])
def test_colours_are_told_apart_with_any_colour_vision(seen_as):
    names = (*KINDS, "masked", "original")
    for one, other in combinations(names, 2):
        apart = np.linalg.norm(
            lab(styling.PALETTE[one], seen_as) - lab(styling.PALETTE[other], seen_as)
        )
        assert apart > 12, (one, other)


@pytest.mark.parametrize("seen_as", [np.eye(3), PROTANOPIA, DEUTERANOPIA, TRITANOPIA])
def test_what_is_kept_gets_darker_in_steps(seen_as):
    light = [lab(styling.PALETTE[f"kept_{i}"], seen_as)[0] for i in range(1, 6)]
    assert all(one - other > 10 for one, other in zip(light, light[1:]))
    others = [styling.PALETTE[f"kept_{i}"] for i in range(1, 6)]
    stretched = lab(styling.PALETTE["stretched"], seen_as)
    assert min(np.linalg.norm(lab(one, seen_as) - stretched) for one in others) > 25
    linked = [styling.PALETTE[name] for name in ("right", "wrong", "unknown", "candidate")]
    for one, other in combinations(linked, 2):
        assert np.linalg.norm(lab(one, seen_as) - lab(other, seen_as)) > 12


def with_values(role, **values):
    """A feature of a layer of the role, and the layer."""
    layer = a_layer(role)
    styling.style(layer, role)
    feature = QgsFeature(layer.fields())
    line = layer.geometryType() == QgsWkbTypes.GeometryType.LineGeometry
    feature.setGeometry(QgsGeometry.fromWkt("LINESTRING(0 0, 9 9)" if line else "POINT(1 2)"))
    for name, value in values.items():
        feature[name] = value
    layer.dataProvider().addFeature(feature)
    return layer, next(layer.getFeatures())


def drawn_as(layer, feature):
    """Legend texts of what the feature is drawn by."""
    renderer, context = layer.renderer().clone(), QgsRenderContext()
    context.expressionContext().appendScopes(
        QgsExpressionContextUtils.globalProjectLayerScopes(layer)
    )
    context.expressionContext().setFeature(feature)
    renderer.startRender(context, layer.fields())
    keys = renderer.legendKeysForFeature(feature, context)
    labels = [item.label() for item in renderer.legendSymbolItems() if item.ruleKey() in keys]
    renderer.stopRender(context)
    return labels


@pytest.mark.parametrize(
    ("ratio", "words"),
    [
        (0.0, "below 25"),
        (0.2499, "below 25"),
        (0.25, "25 to 50"),
        (0.5, "50 to 75"),
        (0.75, "75 to 90"),
        (0.9, "90 to 100"),
        (1.0, "90 to 100"),
        (1.0001, "Longer"),
        (1e12, "Longer"),
        (NULL, None),
    ],
)
def test_a_ratio_on_a_border_is_in_the_class_that_says_so(ratio, words):
    shown = drawn_as(*with_values(styling.DISTANCE_KEPT, ratio=ratio))
    assert len(shown) == (words is not None)
    assert words is None or words in shown[0]


@pytest.mark.parametrize(
    ("in_clique", "correct", "words"),
    [
        (1, 1, "right"),
        (1, 0, "wrong"),
        (1, NULL, "unknown"),
        (0, NULL, "Not matched"),
        (0, 0, "Not matched"),
        (NULL, NULL, "Not matched"),
    ],
)
def test_each_linked_person_is_drawn_once(in_clique, correct, words):
    layer, feature = with_values(styling.LINKED, in_clique=in_clique, correct=correct)
    (shown,) = drawn_as(layer, feature)
    assert words in shown


@pytest.mark.parametrize(
    ("role", "values", "said"),
    [
        (
            styling.LINKED,
            {"target_id": "7", "in_clique": 1, "in_every": 1, "support": 0.5, "correct": 0},
            "<b>target 7</b><br>in every maximum clique, support 50 %<br>wrong",
        ),
        (styling.LINKED, {}, "<b>target –</b><br>not in the clique"),
        (
            styling.DISTANCE_KEPT,
            {"released_id": 3, "distance": 10, "released": 9, "ratio": 0.9},
            "<b>released_id 3</b><br>true distance 10, released 9 (90 %)",
        ),
        (
            styling.DISTANCE_KEPT,
            {"released_id": 3, "distance": 0, "released": 0},
            "<b>released_id 3</b><br>true distance 0, released 0",
        ),
        (styling.REFERENCE_SETS, {"set": 1, "point": 2}, "<b>set 1</b>, point 2"),
        (
            styling.RISK,
            {
                "original_id": 4,
                "distance": 0.25,
                "reference_distance": 0.5,
                "relative_distance": 0.5,
                "ambiguity": 0.75,
                "uncertainty": 1.25,
            },
            "<b>original_id 4</b><br>prediction distance 0.250, reference 0.500 (50 %)<br>"
            "ambiguity 0.75, uncertainty 1.25",
        ),
        (styling.RISK, {"original_id": 4}, "<b>original_id 4</b><br>left out: lacks a value"),
        (
            styling.SMALL_CLASSES,
            {"original_id": 4, "class": 2, "class_size": 1},
            "<b>original_id 4</b><br>class 2, 1 records",
        ),
    ],
)
def test_map_tips_are_sentences_with_and_without_values(role, values, said):
    layer, feature = with_values(role, **values)
    context = QgsExpressionContext(QgsExpressionContextUtils.globalProjectLayerScopes(layer))
    context.setFeature(feature)
    tip = QgsExpression.replaceExpressionText(layer.mapTipTemplate(), context)
    assert tip == said


def test_what_shows_true_places_is_private():
    for role in (
        styling.DISTANCE_KEPT,
        styling.REFERENCE_SETS,
        styling.DRAWN,
        styling.LINKED,
        styling.LINK_LINES,
    ):
        assert styling.is_private(role)
    assert not styling.is_private(styling.RECORDS)


def test_private_layers_say_so():
    for role, what in styling.ROLES.items():
        if not what.note:
            continue
        layer = a_layer(role)
        styling.style(layer, role)
        note = QgsLayerNotesUtils.layerNotes(layer)
        assert ("Private" if styling.is_private(role) else "Release") in note
        assert layer.metadata().abstract()
        limits = [one.constraint for one in layer.metadata().constraints()]
        assert limits == ([layer.metadata().abstract()] if styling.is_private(role) else [])
        assert ("Never give" in note) == styling.is_private(role)
    assert not styling.is_private(styling.MASKED)


def test_more_points_are_drawn_smaller():
    sizes = [styling.marker_size(count) for count in (0, 10, 500, 10_000, 2_000_000)]
    assert sizes == sorted(sizes, reverse=True) and sizes[-1] > 0.5


@pytest.mark.parametrize("role", [styling.SHIFTS, styling.MOVES, styling.LINKS, styling.LINK_LINES])
def test_no_arrow_looks_for_its_direction_beyond_its_line(role):
    """QGIS goes over a line again and again for that, in a wide view until memory runs out."""
    layer = a_layer(role)
    styling.style(layer, role)
    symbols = layer.renderer().symbols(QgsRenderContext())
    arrows = [
        one
        for symbol in symbols
        for one in symbol.symbolLayers()
        if isinstance(one, QgsMarkerLineSymbolLayer)
    ]
    assert arrows and all(one.averageAngleLength() == 0.0 for one in arrows)


# --- on load --------------------------------------------------------------------------------


def load(project, layers, title=""):
    """Do what QGIS does with outputs to load: [(layer, role)], in this order."""
    context = QgsProcessingContext()
    context.setProject(project)
    for layer, role in layers:
        context.temporaryLayerStore().addMapLayer(layer)
        details = QgsProcessingContext.LayerDetails(layer.name(), project, "OUTPUT")
        context.addLayerToLoadOnCompletion(layer.id(), details)
        assert styling.on_load(context, layer.id(), styling.Origin(role=role), title)
    gc.collect()  # nobody else holds the post-processors
    feedback = QgsProcessingFeedback()
    for layer, _ in layers:
        details = context.layerToLoadOnCompletionDetails(layer.id())
        project.addMapLayer(context.temporaryLayerStore().takeMapLayer(layer))
        details.postProcessor().postProcessLayer(layer, context, feedback)
    QCoreApplication.processEvents()
    return feedback


def test_styled_on_load(project):
    before = set(loading.WAITING)
    layer = a_layer(styling.FOUND, "result")
    load(project, [(layer, styling.FOUND)])
    assert layer.renderer().type() == "categorizedSymbol"
    assert layer.name() == "Private: result"
    node = project.layerTreeRoot().findLayer(layer.id())
    assert node.customProperty("showFeatureCount")
    assert loading.WAITING == before


def test_a_private_name_is_not_doubled(project):
    layer = a_layer(styling.KEY, "Private: Key")
    load(project, [(layer, styling.KEY)])
    assert layer.name() == "Private: Key"


def test_a_model_s_output_gets_a_name_for_people(project):
    masked, shifts = a_layer(styling.MASKED, "MASKED"), a_layer(styling.SHIFTS, "SHIFTS")
    load(project, [(masked, styling.MASKED)], "Masked points")
    load(project, [(shifts, styling.SHIFTS)], "Private: Shifts")
    assert [masked.name(), shifts.name()] == ["Release: Masked points", "Private: Shifts"]


def test_a_release_says_so_in_its_name(project):
    layer = a_layer(styling.MASKED, "Masked points")
    load(project, [(layer, styling.MASKED)])
    assert layer.name() == "Release: Masked points"


def test_points_lie_above_lines_above_cells_in_two_groups(project):
    roles = [styling.RELEASED_AREAS, styling.MASKED, styling.CELLS, styling.KEY, styling.SHIFTS]
    load(project, [(a_layer(role, role), role) for role in [*roles, styling.FOUND]])
    release, private, areas = project.layerTreeRoot().children()
    assert [one.name() for one in (release, private, areas)] == [
        "RELEASE",
        "PRIVATE: never give away",
        "RELEASE: areas",
    ]

    def names(group):
        return [node.layer().name().split(": ")[1] for node in group.children()]

    assert names(private) == ["found", "shifts", "cells", "key"]
    assert (names(release), names(areas)) == (["masked"], ["released_areas"])
    load(project, [(a_layer(role, role + " 2"), role) for role in roles])  # a second run
    assert names(private) == ["found", "shifts 2", "shifts", "cells 2", "cells", "key 2", "key"]
    assert len(project.layerTreeRoot().children()) == 3
    assert len(project.mapLayers()) == 11  # moving a layer must not remove it


def test_a_layer_in_a_group_of_the_user_s_stays_there(project):
    own = project.layerTreeRoot().addGroup("mine")
    layer = a_layer(styling.MASKED)
    project.addMapLayer(layer, False)
    own.addLayer(layer)
    styling.adopt(layer, styling.Origin(role=styling.MASKED), "", project)
    QCoreApplication.processEvents()
    assert [node.layerId() for node in own.children()] == [layer.id()]
    assert project.layerTreeRoot().children() == [own]


def test_names_tell_of_whom_and_of_which_run(project):
    def loaded(run, role, title, family=RELEASES, name=None):
        layer = a_layer(role, name or title)
        project.addMapLayer(layer)
        made = styling.Origin(run, "OUTPUT", role, "deaths", family)
        styling.adopt(layer, made, title, project)
        return layer.name()

    assert (
        loaded("a", styling.MASKED, "Release: Masked points") == "Release: Masked points · deaths"
    )
    assert loaded("b", styling.KEY, "Private: Key") == "Private: Key · deaths · 2"
    # Of one run all layers have one number, so that a key is never taken for another one's.
    assert loaded("b", styling.MASKED, "Release: Masked points").endswith(" · deaths · 2")
    assert loaded("a", styling.KEY, "Private: Key") == "Private: Key · deaths"
    found = loaded("c", styling.FOUND, "Private: Assigned", FINDINGS)
    assert found == "Private: Assigned · deaths"
    # A name that somebody has chosen is his.
    assert loaded("d", styling.KEY, "Private: Key", name="mine") == "Private: mine"


def test_other_layers_stay_where_they_are(project):
    base = QgsVectorLayer("Point?crs=EPSG:27700", "base", "memory")
    project.addMapLayer(base)
    load(project, [(a_layer(role, role), role) for role in (styling.MASKED, styling.SHIFTS)])
    assert [layer.name() for layer in project.layerTreeRoot().layerOrder()] == [
        "Release: masked",
        "Private: shifts",
        "base",
    ]


def test_a_missing_style_is_told_and_stops_nothing(project, monkeypatch):
    def broken(layer, role):
        raise RuntimeError("no paint")

    monkeypatch.setattr(loading, "style", broken)
    feedback = load(project, [(a_layer(styling.MASKED), styling.MASKED)])
    assert "no paint" in feedback.textLog()


def test_what_is_not_loaded_is_not_kept():
    before = set(loading.WAITING)
    assert not styling.on_load(
        QgsProcessingContext(), "nowhere", styling.Origin(role=styling.MASKED)
    )
    assert loading.WAITING == before


def test_styles_survive_a_project_file(project, tmp_path):
    layer = a_layer(styling.SCORED)
    feature = QgsFeature(layer.fields())
    feature.setGeometry(QgsGeometry.fromWkt("POINT(1 2)"))
    layer.dataProvider().addFeature(feature)
    load(project, [(layer, styling.SCORED)])
    labels = legend(layer)
    path = str(tmp_path / "project.qgz")
    assert project.write(path)
    project.clear()
    assert project.read(path)
    (again,) = project.mapLayers().values()
    assert legend(again) == labels
    assert "Private" in QgsLayerNotesUtils.layerNotes(again)

# SPDX-License-Identifier: GPL-2.0-or-later
"""Build the models that ship with the plugin, ``resources/models/*.model3``.

Run with the interpreter that QGIS uses, after the parameters of a step have changed::

    QT_HASH_SEED=0 QT_QPA_PLATFORM=offscreen python3 scripts/make_model.py [FOLDER]

Built on QGIS 3.22, the files load there and on all later versions.
"""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from qgis.core import (  # noqa: E402
    QgsApplication,
    QgsProcessing,
    QgsProcessingModelAlgorithm,
    QgsProcessingModelChildAlgorithm,
    QgsProcessingModelChildParameterSource,
    QgsProcessingModelOutput,
    QgsProcessingModelParameter,
)
from qgis.PyQt.QtCore import QPointF  # noqa: E402

from geoanon_qgis.core.microdata.methods import METHODS  # noqa: E402
from geoanon_qgis.processing.dialog import parameters  # noqa: E402

FOLDER = ROOT / "resources" / "models"
HELP_CREATOR = "GeoAnon"

_Source = QgsProcessingModelChildParameterSource
given = _Source.fromModelParameter
result = _Source.fromChildOutput
value = _Source.fromStaticValue


@dataclass(frozen=True)
class Step:
    """An algorithm, and where its parameters come from.

    Outputs of a model are listed in the alphabetical order of their steps' ids.
    """

    id: str
    algorithm: str
    title: str
    sources: dict[str, Any]


@dataclass(frozen=True)
class Output:
    """An output of a step that is one of the model."""

    step: str
    output: str
    name: str
    title: str
    help: str
    wanted: bool = False


@dataclass(frozen=True)
class Model:
    """A model; the file's name without underscores is its id."""

    file: str
    title: str
    group: str
    short: str
    description: str
    inputs: Sequence[Any]
    steps: Sequence[Step]
    outputs: Sequence[Output]


MASK_ATTACK_REPORT = Model(
    file="mask_attack_report.model3",
    title="Mask, attack, report",
    group="Attack a release",
    short=(
        "Masks points by Voronoi masking, attacks the result with a list of candidate places, and "
        "reports how many people are found again."
    ),
    description=(
        "Masks points with Voronoi masking, attacks the result the way somebody with a list of "
        "possible places would, and reports both. It answers one question before anything is given "
        "away: how many of these people would be found again?<br><br>"
        "The steps are “Voronoi masking” and “Reverse Voronoi masking”; the key of the first "
        "scores the second and is not kept. The masked points are kept only if you ask for them: "
        "decide by the report first. Run the steps one by one for their other options."
    ),
    inputs=(
        parameters.points(
            "POINTS",
            "Points to mask",
            "The sensitive points, in any coordinate reference system.",
        ),
        parameters.points(
            "CANDIDATES",
            "Candidate places",
            "Points among which all originals are, in any coordinate reference system: an address "
            "file, all buildings, or the originals themselves.",
        ),
        parameters.fields(
            "FIELDS",
            "Attributes to release (none chosen: those that pass the screening)",
            "Leave empty to release the attributes that pass a screening; the log and the report "
            "list every attribute, with the reason.",
            "POINTS",
        ),
        parameters.field(
            "ID_FIELD",
            "Field that names a person or address",
            "A field that the points and the candidates share, such as the id of the address: "
            "whole numbers or text, different for each point. The attack is scored by it. Leave "
            "empty to score by place, which any list of addresses allows.",
            "POINTS",
        ),
        parameters.field(
            "CANDIDATE_ID",
            "Field with the candidates' ids",
            "Copied to the result. Leave empty to use feature ids.",
            "CANDIDATES",
        ),
    ),
    steps=(
        Step(
            "mask",
            "geoanon:voronoimask",
            "Voronoi masking",
            {
                "INPUT": given("POINTS"),
                "FIELDS": given("FIELDS"),
                "ID_FIELD": given("ID_FIELD"),
                "SHUFFLE": value(True),
            },
        ),
        Step(
            "reverse",
            "geoanon:reversevoronoi",
            "Reverse Voronoi masking",
            {
                "INPUT": result("mask", "OUTPUT"),
                "KEY": result("mask", "KEY"),
                "CANDIDATES": given("CANDIDATES"),
                "CANDIDATE_ID": given("CANDIDATE_ID"),
            },
        ),
    ),
    outputs=(
        Output(
            "mask",
            "OUTPUT",
            "MASKED",
            "Release: Masked points",
            "Release: the masked points with new ids. Not made unless you ask for it.",
        ),
        Output(
            "mask",
            "SHIFTS",
            "SHIFTS",
            "Private: Shifts",
            "Lines from each original to its masked point, with both ids.",
        ),
        Output(
            "reverse",
            "OUTPUT",
            "ASSIGNED",
            "Private: Assigned candidates",
            "One point for each masked record at the candidate it is assigned to, by how surely.",
            True,
        ),
        Output(
            "reverse",
            "LINKS",
            "LINKS",
            "Private: Links",
            "Lines from each masked point to its assigned candidate.",
        ),
        Output(
            "mask",
            "REPORT",
            "REPORT",
            "Private: Report of the masking",
            "What was done and how far points moved.",
        ),
        Output(
            "reverse",
            "REPORT",
            "REPORT",
            "Private: Report of the attack",
            "How many people were found again.",
        ),
    ),
)

#: Both adversaries on the points of the step “mask”.
ATTACK_ON_POINTS = Step(
    "attack",
    "geoanon:attackmask",
    "Posterior attack on a point mask",
    {
        "INPUT": result("mask", "OUTPUT"),
        "MASK": result("mask", "MASK"),
        "KEY": result("mask", "KEY"),
        "CANDIDATES": given("CANDIDATES"),
        "WITHIN": given("WITHIN"),
        "ADVERSARY": value("both"),
        "SHOWN": value(10),
        "LIMIT_ON": value("mean"),
        "EVEN_BY": value("area"),
    },
)

EXCHANGE_ATTACK_REPORT = Model(
    file="exchange_attack_report.model3",
    title="Mask by exchange, attack, measure, report",
    group="Attack a release",
    short=(
        "Exchanges addresses, attacks the result as two adversaries who know the mask would, "
        "measures what is kept of the map, and reports all three."
    ),
    description=(
        "Releases each point at one of K addresses that exchange places with its own, attacks the "
        "result, measures what is kept, and reports all three. It answers three questions before "
        "anything is given away: who lives there, for who has an address list; which record is "
        "hers, for who knows that a person is in the file; and what the map still shows: the most "
        "likely cluster, densities, distances between points.<br><br>"
        "The steps are “Exchange of addresses” (METHOD=exchange), “Posterior attack on a point "
        "mask” and “Measures of a point mask”; key and mask file of the first go to the others. "
        "The masked points are kept only if you ask for them: decide by the reports first, and "
        "then keep the secret file, too. Run the steps one by one for cells and groups."
    ),
    inputs=(
        parameters.points(
            "POINTS",
            "Points to mask",
            "The sensitive points, each at an address of the list.",
        ),
        parameters.points(
            "CANDIDATES",
            "Address list",
            "All addresses of the area, in any coordinate reference system: a public list, never "
            "the points themselves.",
        ),
        parameters.integer(
            "K",
            "Addresses to hide among (k)",
            "Partners of each address, itself among them.",
            20,
            2,
        ),
        parameters.metres(
            "WITHIN",
            "A record may miss its address by (metres)",
            "0: a record that lies at no address of the list is withheld. Else the nearest address "
            "within so far is taken for its own.",
            0.0,
            optional=False,
        ),
        parameters.fields(
            "FIELDS",
            "Attributes to release (none chosen: those that pass the screening)",
            "Leave empty to release the attributes that pass a screening; the log and the report "
            "list every attribute, with the reason.",
            "POINTS",
        ),
        parameters.field(
            "ID_FIELD",
            "Field that names a person",
            "Whole numbers or text, different for each record. It is never released. Leave empty "
            "to use feature ids.",
            "POINTS",
        ),
        parameters.file_source(
            "SECRET",
            "Secret file of an earlier release",
            "Keeps everybody where he was released before. Leave empty for a new secret.",
            "",  # a model's file filters are not translated
        ),
    ),
    steps=(
        Step(
            "mask",
            "geoanon:maskexchange",
            "Exchange of addresses",
            {
                "INPUT": given("POINTS"),
                "CANDIDATES": given("CANDIDATES"),
                "METHOD": value("exchange"),
                "K": given("K"),
                "K_RECORDS": value(5),
                "WITHIN": given("WITHIN"),
                "UNIT": value("address"),
                "OUTPUT_AT": value("address"),
                "FIELDS": given("FIELDS"),
                "ID_FIELD": given("ID_FIELD"),
                "SECRET": given("SECRET"),
                "SHUFFLE": value(True),
            },
        ),
        ATTACK_ON_POINTS,
        Step(
            "measure",
            "geoanon:maskmeasures",
            "Measures of a point mask",
            {
                "ORIGINAL": given("POINTS"),
                "RELEASED": result("mask", "OUTPUT"),
                "KEY": result("mask", "KEY"),
                "MASK": result("mask", "MASK"),
                "CANDIDATES": given("CANDIDATES"),
                "SHARE": value(0.5),
                "DRAWS": value(999),
                "SIMULATIONS": value(39),
            },
        ),
    ),
    outputs=(
        Output(
            "mask",
            "OUTPUT",
            "MASKED",
            "Release: Masked points",
            "Release: the masked points with new ids. Not made unless you ask for it.",
        ),
        Output(
            "mask",
            "WITHHELD",
            "WITHHELD",
            "Private: Withheld records",
            "The records that could not be masked, at their places, and why.",
        ),
        Output(
            "mask",
            "SECRET_FILE",
            "SECRET_FILE",
            "Private: Secret file",
            "Give it as SECRET when you release the same people again.",
        ),
        Output(
            "attack",
            "OUTPUT",
            "GUESSES",
            "Private: Guesses",
            "Each released record at the likeliest address, with what the adversaries believe.",
            True,
        ),
        Output(
            "mask",
            "REPORT",
            "REPORT",
            "Private: Report of the masking",
            "What was done and how far points moved.",
        ),
        Output(
            "attack",
            "REPORT",
            "REPORT",
            "Private: Report of the attack",
            "What both adversaries find.",
        ),
        Output(
            "measure",
            "REPORT",
            "REPORT",
            "Private: Report of the measures",
            "What is kept of clusters, densities and distances.",
        ),
    ),
)

ANONYMISE_MEASURE_REPORT = Model(
    file="anonymise_measure_report.model3",
    title="Anonymise, measure, report",
    group="Microdata",
    short=(
        "Anonymises a table or point layer along its principal axes, measures what an attacker "
        "could still predict and what is kept, and reports it all."
    ),
    description=(
        "Anonymises records with “Spectral anonymization”, measures the result with “Disclosure "
        "risk of microdata” and “Utility of anonymised microdata”, and reports all three. It "
        "answers two questions before anything is given away: is it enough, and is anything "
        "left?<br><br>"
        "The key of the first step tells the second which records correspond and is not kept. Run "
        "the steps one by one for their other options."
    ),
    inputs=(
        parameters.table(
            "RECORDS",
            "Records",
            "The sensitive records: a table, or a layer of any kind.",
        ),
        parameters.fields(
            "FIELDS",
            "Fields to anonymise and release (none chosen: those that pass the screening)",
            "Numbers, text or truth values. Leave empty to take those that pass a screening; the "
            "log and the report list every field, with the reason.",
            "RECORDS",
        ),
        parameters.field(
            "PERSON_FIELD",
            "Field with the person's id",
            "Where people have several records (visits, prescriptions): the field that says whose a "
            "record is. People are counted then. It is never released. Leave empty if each record is "
            "of another person.",
            "RECORDS",
        ),
        parameters.boolean(
            "USE_GEOMETRY",
            "Places take part",
            "Take x and y as two more variables; the result is a synthetic point layer. Needs a "
            "point layer.",
            False,
        ),
        parameters.source(
            "AREA",
            "Area that points must lie in",
            "Polygons into which synthetic points are brought. Leave empty for no limit.",
            "polygon",
            optional=True,
        ),
        parameters.choice(
            "METHOD",
            "Method",
            "spectral_swapping keeps statistics best; spectral_rhs averages groups of similar "
            "records. The others are for comparison.",
            list(METHODS),
            METHODS[0],
        ),
        parameters.integer(
            "K",
            "Fewest records in a group (k)",
            "For spectral_rhs, whose groups hold k to 2 k records, and for rhs.",
            5,
            2,
        ),
        parameters.table(
            "REFERENCE",
            "Reference",
            "A second sample of the same population that holds none of the records. Leave empty "
            "to compare each record with the others.",
            optional=True,
        ),
    ),
    steps=(
        Step(
            "anonymise",
            "geoanon:spectralanonymize",
            "Spectral anonymization",
            {
                "INPUT": given("RECORDS"),
                "FIELDS": given("FIELDS"),
                "PERSON_FIELD": given("PERSON_FIELD"),
                "USE_GEOMETRY": given("USE_GEOMETRY"),
                "AREA": given("AREA"),
                "METHOD": given("METHOD"),
                "K": given("K"),
                "NOISE": value(0.1),
                "CATEGORIES_AS": value("most_probable"),
                "DECODING": value("calibrated"),
                "RULES": value("found"),
                "MISSING": value("dummy"),
            },
        ),
        Step(
            "risk",
            "geoanon:disclosurerisk",
            "Disclosure risk of microdata",
            {
                "ORIGINAL": given("RECORDS"),
                "ANONYMIZED": result("anonymise", "OUTPUT"),
                "REFERENCE": given("REFERENCE"),
                "KEY": result("anonymise", "KEY"),
                "FIELDS": given("FIELDS"),
                "PERSON_FIELD": given("PERSON_FIELD"),
                "USE_GEOMETRY": given("USE_GEOMETRY"),
                "MISSING": value("dummy"),
                "K": value(5),
                "MARGIN": value(0.05),
                "KNOWN_PLACE": value(True),
                "WHOLE": value(False),
            },
        ),
        Step(
            "utility",
            "geoanon:microdatautility",
            "Utility of anonymised microdata",
            {
                "ORIGINAL": given("RECORDS"),
                "ANONYMIZED": result("anonymise", "OUTPUT"),
                "FIELDS": given("FIELDS"),
                "USE_GEOMETRY": given("USE_GEOMETRY"),
                "MISSING": value("dummy"),
            },
        ),
    ),
    outputs=(
        Output(
            "anonymise",
            "OUTPUT",
            "ANONYMISED",
            "Release: Anonymised records",
            "Release: the anonymised fields with new ids, in random order.",
            True,
        ),
        Output(
            "anonymise",
            "REPORT",
            "REPORT",
            "Private: Report of the anonymization",
            "What was done to which fields.",
        ),
        Output(
            "risk",
            "OUTPUT",
            "RISK",
            "Private: Risk of each record",
            "The original records, coloured by how near the release comes.",
            True,
        ),
        Output(
            "risk",
            "REPORT",
            "REPORT",
            "Private: Report of the risk",
            "What an attacker could predict, and whether that is too much.",
        ),
        Output(
            "utility",
            "OUTPUT",
            "UTILITY",
            "Private: Measures of utility",
            "Table with one row for each measure.",
            True,
        ),
        Output(
            "utility",
            "REPORT",
            "REPORT",
            "Private: Report of the utility",
            "What is kept and what is lost.",
        ),
    ),
)

MASK_ANONYMISE_REPORT = Model(
    file="mask_anonymise_report.model3",
    title="Mask points, anonymise fields, attack both",
    group="Microdata",
    short=(
        "Exchanges the addresses of records, anonymises their fields, and attacks points and fields "
        "as the one release that they are."
    ),
    description=(
        "Makes one release of masked points and anonymised fields, and attacks it. Each record goes to "
        "one of K addresses that exchange places with its own; fields are anonymised, but for those "
        "that are to stay; and two questions are answered before anything is given away: who is found "
        "by his address alone, and who is found by address and fields together, which is more than "
        "either?<br><br>"
        "The steps are “Exchange of addresses” (METHOD=exchange), “Spectral anonymization” of the masked "
        "points (MASKED_KEY), “Posterior attack on a point mask” and “Disclosure risk of microdata” "
        "(MASK). Keys and mask file lead from one to the next and are not kept; the masked points with "
        "their true fields are not either. Give the result away only if both attacks held. Run the "
        "steps one by one for other masks and options."
    ),
    inputs=(
        parameters.points(
            "POINTS",
            "Records",
            "The sensitive records as points, each at an address of the list.",
        ),
        parameters.points(
            "CANDIDATES",
            "Address list",
            "All addresses of the area, in any coordinate reference system: a public list, never "
            "the records themselves.",
        ),
        parameters.fields(
            "FIELDS",
            "Fields to release",
            "Numbers, text or truth values that are in the release, true or changed.",
            "POINTS",
            optional=False,
        ),
        parameters.fields(
            "KEPT_FIELDS",
            "Fields that stay as they are (none chosen: all are anonymised)",
            "Some of the fields to release: each record has its own true values of these.",
            "POINTS",
        ),
        parameters.integer(
            "K",
            "Addresses to hide among (k)",
            "Partners of each address, itself among them.",
            20,
            2,
        ),
        parameters.metres(
            "WITHIN",
            "A record may miss its address by (metres)",
            "0: a record that lies at no address of the list is withheld. Else the nearest address "
            "within so far is taken for its own.",
            0.0,
            optional=False,
        ),
        parameters.choice(
            "METHOD",
            "Method for the fields",
            "spectral_swapping keeps statistics best; spectral_rhs averages groups of five to ten "
            "similar records. The others are for comparison.",
            list(METHODS),
            METHODS[0],
        ),
        parameters.points(
            "REFERENCE",
            "Reference",
            "People of the same population who are not in the file, with the same fields, at the "
            "addresses where they live. Leave empty to compare each record with the others.",
            optional=True,
        ),
    ),
    steps=(
        Step(
            "mask",
            "geoanon:maskexchange",
            "Exchange of addresses",
            {
                "INPUT": given("POINTS"),
                "CANDIDATES": given("CANDIDATES"),
                "METHOD": value("exchange"),
                "K": given("K"),
                "K_RECORDS": value(5),
                "WITHIN": given("WITHIN"),
                "UNIT": value("address"),
                "OUTPUT_AT": value("address"),
                "FIELDS": given("FIELDS"),
                "SHUFFLE": value(True),
            },
        ),
        Step(
            "anonymise",
            "geoanon:spectralanonymize",
            "Spectral anonymization",
            {
                "INPUT": result("mask", "OUTPUT"),
                "MASKED_KEY": result("mask", "KEY"),
                "FIELDS": given("FIELDS"),
                "KEPT_FIELDS": given("KEPT_FIELDS"),
                "USE_GEOMETRY": value(False),
                "METHOD": given("METHOD"),
                "K": value(5),
                "NOISE": value(0.1),
                "CATEGORIES_AS": value("most_probable"),
                "DECODING": value("calibrated"),
                "RULES": value("found"),
                "MISSING": value("dummy"),
            },
        ),
        ATTACK_ON_POINTS,
        Step(
            "risk",
            "geoanon:disclosurerisk",
            "Disclosure risk of microdata",
            {
                "ORIGINAL": given("POINTS"),
                "ANONYMIZED": result("anonymise", "OUTPUT"),
                "REFERENCE": given("REFERENCE"),
                "KEY": result("anonymise", "KEY"),
                "FIELDS": given("FIELDS"),
                "USE_GEOMETRY": value(True),
                "MASK": result("mask", "MASK"),
                "CANDIDATES": given("CANDIDATES"),
                "WITHIN": given("WITHIN"),
                "MISSING": value("dummy"),
                "K": value(5),
                "MARGIN": value(0.05),
                "KNOWN_PLACE": value(True),
                "WHOLE": value(False),
            },
        ),
    ),
    outputs=(
        Output(
            "anonymise",
            "OUTPUT",
            "ANONYMISED",
            "Release: Masked points with anonymised fields",
            "Release: new ids, in random order. Not made unless you ask for it.",
        ),
        Output(
            "attack",
            "REPORT",
            "POINTS_REPORT",
            "Private: Report of the attack on points",
            "What both adversaries find by the points alone.",
        ),
        Output(
            "risk",
            "OUTPUT",
            "RISK",
            "Private: Risk of each record",
            "The original records, coloured by how near the release comes.",
            True,
        ),
        Output(
            "risk",
            "AT_RISK",
            "AT_RISK",
            "Private: People at risk",
            "Whom somebody finds by places and fields together.",
        ),
        Output(
            "risk",
            "REPORT",
            "REPORT",
            "Private: Report of the attack on both",
            "What is found by places and fields together, and whether that is too much.",
        ),
    ),
)

#: Areas that have to keep nothing in particular.
_NOTHING_KEPT = {
    "TOLERANCE": value(5.0),
    "MIN_RECORDS": value(0),
    "MIN_POPULATION": value(0.0),
    "CONTIGUOUS": value("no"),
    "BOUNDARY_MOVES": value(False),
    "OBJECTIVE": value("suppression"),
    "STARTS": value(4),
    "DATES": value("as_they_are"),
}

AGGREGATE_RECORDS_REPORT = Model(
    file="aggregate_records_report.model3",
    title="Aggregate regions and records, report",
    group="Aggregate areas",
    short=(
        "Joins small areas to larger ones so that every released record hides among k, and "
        "reports what it cost, beside what other choices would cost."
    ),
    description=(
        "Goes from regions and records to aggregated areas, releasable records and reports. The "
        "first step is “Voronoi-based aggregation” by balanced density, with as many areas as the "
        "GAPS model allows for the number of possible combinations. The second, “Compare "
        "aggregations”, tells what more areas (by the entropy) and a search for better sites "
        "would suppress at the same K.<br><br>"
        "Run the steps one by one for their other options."
    ),
    inputs=(
        parameters.regions(
            "REGIONS",
            "Regions",
            "Small areas: polygons, or a point for each, in any coordinate reference system.",
        ),
        parameters.field(
            "REGION_ID",
            "Field with the regions' id",
            "Each region needs an id of its own.",
            "REGIONS",
            optional=False,
        ),
        parameters.table(
            "RECORDS",
            "Records",
            "A table with one row for each record (person).",
        ),
        parameters.field(
            "RECORD_REGION",
            "Records' field with the region's id",
            "Leave empty where it has the name of the regions' field.",
            "RECORDS",
        ),
        parameters.fields(
            "QIS",
            "Quasi-identifiers",
            "What others may know of a person, such as age group and sex.",
            "RECORDS",
            optional=False,
        ),
        parameters.integer(
            "K", "K", "Records that every released class must hold, 2 or more.", 5, 2
        ),
        parameters.choice(
            "GAPS_REGION",
            "GAPS model",
            "The model of the population that an area needs, made for parts of Canada.",
            ["west", "central", "east"],
            optional=True,
        ),
    ),
    steps=(
        Step(
            "aggregate",
            "geoanon:vbas",
            "Voronoi-based aggregation",
            {
                "REGIONS": given("REGIONS"),
                "REGION_ID": given("REGION_ID"),
                "RECORDS": given("RECORDS"),
                "RECORD_REGION": given("RECORD_REGION"),
                "QIS": given("QIS"),
                "NULLS": value("category"),
                "UNKNOWN": value("refuse"),
                "K": given("K"),
                "SITES_BY": value("gaps_maxcombs"),
                "GAPS_REGION": given("GAPS_REGION"),
                "LOCATION": value("balanced_density"),
                "SEEDING": value("balanced_density"),
                "L": value(2),
                "EARLIER_JOIN": value(False),
                "EARLIER_NESTED": value("any"),
                **_NOTHING_KEPT,
            },
        ),
        Step(
            "compare",
            "geoanon:vbascompare",
            "Compare aggregations",
            {
                "REGIONS": given("REGIONS"),
                "REGION_ID": given("REGION_ID"),
                "RECORDS": given("RECORDS"),
                "RECORD_REGION": given("RECORD_REGION"),
                "QIS": given("QIS"),
                "NULLS": value("category"),
                "UNKNOWN": value("refuse"),
                "KS": _Source.fromExpression("to_string(@K)"),
                "SITES_BY": value(["gaps_maxcombs", "gaps_entropy"]),
                "GAPS_REGION": given("GAPS_REGION"),
                "LOCATIONS": value(["balanced_density", "least_suppression"]),
                "SEEDING": value("balanced_density"),
                **_NOTHING_KEPT,
            },
        ),
    ),
    outputs=(
        Output(
            "aggregate",
            "OUTPUT",
            "AREAS",
            "Private: Aggregated areas",
            "The areas with what was counted in them, before suppression, too.",
            True,
        ),
        Output("aggregate", "SITES_OUT", "SITES", "Private: Sites", "The sites of the areas."),
        Output(
            "aggregate",
            "REGIONS_OUT",
            "REGIONS",
            "Release: Regions",
            "Release: the regions with the ids of their areas.",
        ),
        Output(
            "aggregate",
            "LOOKUP",
            "LOOKUP",
            "Release: Regions and their areas",
            "Release: table that leads from each region to its area.",
        ),
        Output(
            "aggregate",
            "RECORDS_OUT",
            "RECORDS",
            "Release: Records",
            "Release: the records that are not suppressed, with their areas.",
            True,
        ),
        Output(
            "aggregate",
            "REPORT",
            "REPORT",
            "Private: Report of the aggregation",
            "What was done and what it cost, with a map.",
        ),
        Output(
            "compare",
            "OUTPUT",
            "COMPARED",
            "Private: Combinations",
            "Table with one row for each combination.",
            True,
        ),
        Output(
            "compare",
            "REPORT",
            "REPORT",
            "Private: Report of the comparison",
            "Table, charts and a map of each combination.",
        ),
    ),
)

MODELS = (
    MASK_ATTACK_REPORT,
    EXCHANGE_ATTACK_REPORT,
    ANONYMISE_MEASURE_REPORT,
    MASK_ANONYMISE_REPORT,
    AGGREGATE_RECORDS_REPORT,
)


def build(plan: Model = MASK_ATTACK_REPORT) -> QgsProcessingModelAlgorithm:
    """Put a model together; the provider must be registered."""
    model = QgsProcessingModelAlgorithm(plan.title, plan.group, "")
    for row, parameter in enumerate(plan.inputs):
        component = QgsProcessingModelParameter(parameter.name())
        component.setDescription(parameter.description())
        component.setPosition(QPointF(150, 60 + 80 * row))
        model.addModelParameter(parameter.clone(), component)
    model.setParameterOrder([parameter.name() for parameter in plan.inputs])

    children = {}
    for row, step in enumerate(plan.steps):
        child = QgsProcessingModelChildAlgorithm(step.algorithm)
        child.setChildId(step.id)
        child.setDescription(step.title)
        for name, source in step.sources.items():
            child.addParameterSources(name, [source])
        child.setPosition(QPointF(450, 100 + 200 * row))
        children[step.id] = child
    for number, output in enumerate(plan.outputs):
        child = children[output.step]
        final = QgsProcessingModelOutput(output.name, output.name)
        final.setChildId(output.step)
        final.setChildOutputName(output.output)
        final.setDescription(output.title)
        final.setPosition(QPointF(750, 60 + 70 * number))
        final.setMandatory(output.wanted)
        final.setDefaultValue(QgsProcessing.TEMPORARY_OUTPUT)
        child.setModelOutputs({**child.modelOutputs(), output.name: final})
    for child in children.values():
        model.addChildAlgorithm(child)

    model.setHelpContent(
        {
            "ALG_DESC": plan.description,
            "SHORT_DESCRIPTION": plan.short,
            "ALG_CREATOR": HELP_CREATOR,
            **{parameter.name(): parameter.help() for parameter in plan.inputs},
            **{f"{output.step}:{output.name}": output.help for output in plan.outputs},
        }
    )
    return model


def main() -> None:
    """Write the files."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    application = QgsApplication([], False)
    application.initQgis()
    from geoanon_qgis.processing.provider import GeoAnonProvider

    provider = GeoAnonProvider()
    QgsApplication.processingRegistry().addProvider(provider)
    for plan in MODELS:
        model = build(plan)
        valid, problems = model.validate()
        if not valid:
            sys.exit(f"{plan.title} is not valid: " + "; ".join(problems))
        if not model.toFile(str(folder / plan.file)):
            sys.exit(f"{folder / plan.file} could not be written.")
    QgsApplication.processingRegistry().removeProvider(provider)
    application.exitQgis()


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: GPL-2.0-or-later
"""Build ``resources/models/mask_attack_report.model3``, the model *Mask, attack, report*.

Run with the interpreter that QGIS uses, after the parameters of one of its steps have changed::

    QT_HASH_SEED=0 QT_QPA_PLATFORM=offscreen python3 scripts/make_model.py [FILE]

Built on QGIS 3.22, the file loads there and on all later versions.
"""

import os
import sys
from pathlib import Path

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

from geoanon_qgis.processing import parameters as make  # noqa: E402

FILE = ROOT / "resources" / "models" / "mask_attack_report.model3"
#: Ids of the steps: outputs are listed in their alphabetical order.
MASK, ATTACK = "mask", "reverse"

DESCRIPTION = (
    "Masks points with Voronoi masking, attacks the result the way somebody with a list of "
    "possible places would, and reports both. It answers one question before anything is given "
    "away: how many of these people would be found again?<br><br>"
    "The steps are “Voronoi masking” and “Reverse Voronoi masking”; the key of the first scores "
    "the second and is not kept. Run the steps one by one for their other options."
)
SHORT = (
    "Masks points by Voronoi masking, attacks the result with a list of candidate places, and "
    "reports how many people are found again."
)
HELP_CREATOR = "GeoAnon"

#: name -> (parameter, help)
INPUTS = (
    make.points(
        "POINTS",
        "Points to mask",
        "The sensitive points, in any coordinate reference system.",
    ),
    make.points(
        "CANDIDATES",
        "Candidate places",
        "Points among which all originals are, in any coordinate reference system: an address "
        "file, all buildings, or the originals themselves.",
    ),
    make.fields(
        "FIELDS",
        "Attributes to release",
        "Leave empty to release all attributes but those that look like ids, names, addresses or "
        "coordinates.",
        "POINTS",
    ),
    make.field(
        "CANDIDATE_ID",
        "Field with the candidates' ids",
        "The candidates' field that holds the originals' feature ids, so that the attack can be "
        "scored. Leave empty when the candidates' own feature ids are the same as the originals'.",
        "CANDIDATES",
    ),
)

#: step, its output, name and description in the model, help
OUTPUTS = (
    (
        MASK,
        "OUTPUT",
        "MASKED",
        "Release: Masked points",
        "Release: the masked points with new ids.",
    ),
    (
        MASK,
        "SHIFTS",
        "SHIFTS",
        "Private: Shifts",
        "Lines from each original to its masked point, with both ids.",
    ),
    (
        ATTACK,
        "OUTPUT",
        "ASSIGNED",
        "Private: Assigned candidates",
        "One point for each masked record at the candidate it is assigned to, by how surely.",
    ),
    (
        ATTACK,
        "LINKS",
        "LINKS",
        "Private: Links",
        "Lines from each masked point to its assigned candidate.",
    ),
    (
        MASK,
        "REPORT",
        "REPORT",
        "Private: Report of the masking",
        "What was done and how far points moved.",
    ),
    (
        ATTACK,
        "REPORT",
        "REPORT",
        "Private: Report of the attack",
        "How many people were found again.",
    ),
)


def build() -> QgsProcessingModelAlgorithm:
    """Put the model together; the provider must be registered."""
    source = QgsProcessingModelChildParameterSource
    model = QgsProcessingModelAlgorithm("Mask, attack, report", "Attack a release", "")
    for row, parameter in enumerate(INPUTS):
        component = QgsProcessingModelParameter(parameter.name())
        component.setDescription(parameter.description())
        component.setPosition(QPointF(150, 60 + 80 * row))
        model.addModelParameter(parameter, component)
    model.setParameterOrder([parameter.name() for parameter in INPUTS])

    mask = QgsProcessingModelChildAlgorithm("geoanon:voronoimask")
    mask.setChildId(MASK)
    mask.setDescription("Voronoi masking")
    mask.addParameterSources("INPUT", [source.fromModelParameter("POINTS")])
    mask.addParameterSources("FIELDS", [source.fromModelParameter("FIELDS")])
    mask.addParameterSources("SHUFFLE", [source.fromStaticValue(True)])
    mask.setPosition(QPointF(450, 100))

    attack = QgsProcessingModelChildAlgorithm("geoanon:reversevoronoi")
    attack.setChildId(ATTACK)
    attack.setDescription("Reverse Voronoi masking")
    attack.addParameterSources("INPUT", [source.fromChildOutput(MASK, "OUTPUT")])
    attack.addParameterSources("KEY", [source.fromChildOutput(MASK, "KEY")])
    attack.addParameterSources("CANDIDATES", [source.fromModelParameter("CANDIDATES")])
    attack.addParameterSources("CANDIDATE_ID", [source.fromModelParameter("CANDIDATE_ID")])
    attack.setPosition(QPointF(450, 300))

    for number, (child_id, output, name, description, _) in enumerate(OUTPUTS):
        child = mask if child_id == MASK else attack
        final = QgsProcessingModelOutput(name, name)
        final.setChildId(child_id)
        final.setChildOutputName(output)
        final.setDescription(description)
        final.setPosition(QPointF(750, 60 + 70 * number))
        final.setMandatory(output == "OUTPUT")
        final.setDefaultValue(QgsProcessing.TEMPORARY_OUTPUT)
        child.setModelOutputs({**child.modelOutputs(), name: final})
    for child in (mask, attack):
        model.addChildAlgorithm(child)

    model.setHelpContent(
        {
            "ALG_DESC": DESCRIPTION,
            "SHORT_DESCRIPTION": SHORT,
            "ALG_CREATOR": HELP_CREATOR,
            **{parameter.name(): parameter.help() for parameter in INPUTS},
            **{f"{child}:{name}": said for child, _, name, _, said in OUTPUTS},
        }
    )
    return model


def main() -> None:
    """Write the file."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else FILE
    application = QgsApplication([], False)
    application.initQgis()
    from geoanon_qgis.processing.provider import GeoAnonProvider

    provider = GeoAnonProvider()
    QgsApplication.processingRegistry().addProvider(provider)
    model = build()
    valid, problems = model.validate()
    if not valid:
        sys.exit("The model is not valid: " + "; ".join(problems))
    path.parent.mkdir(parents=True, exist_ok=True)
    if not model.toFile(str(path)):
        sys.exit(f"{path} could not be written.")
    QgsApplication.processingRegistry().removeProvider(provider)
    application.exitQgis()


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: GPL-2.0-or-later
"""Write the QGIS project of the demonstration, and say what was found.

Called by ``scripts/demo`` as ``demo_project.py SAMPLE FOLDER MASKING ATTACK DISTANCES``; the
last three are what QGIS's command line printed for the algorithms.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from qgis.core import (  # noqa: E402
    QgsApplication,
    QgsMarkerSymbol,
    QgsProject,
    QgsReferencedRectangle,
    QgsSingleSymbolRenderer,
    QgsVectorLayer,
)

from geoanon_qgis.processing import styling  # noqa: E402

#: Name, file or layer of the sample, role, shown at first; from the top of the map downwards.
PRIVATE_LAYERS = (
    ("Private: Assigned candidates", "found.gpkg", styling.SCORED, True),
    ("Private: Links", "links.gpkg", styling.LINKS, True),
    ("Private: Shifts", "shifts.gpkg", styling.SHIFTS, False),
    ("Private: Deaths, the originals", "deaths", styling.ORIGINALS, False),
    ("Private: Voronoi cells", "cells.gpkg", styling.CELLS, False),
    ("Private: Key", "key.gpkg", styling.KEY, True),
)
#: Reports that the demonstration leaves.
_REPORTS = ("masking", "attack", "distances")


def load(path: str, name: str, role: str | None = None) -> QgsVectorLayer:
    """Load a layer and, given its role, style it as the plugin does.

    Raises
    ------
    SystemExit
        If QGIS cannot read it.
    """
    layer = QgsVectorLayer(path, name, "ogr")
    if not layer.isValid():
        sys.exit(f"QGIS cannot read {path}.")
    if role is not None:
        styling.style(layer, role)
    return layer


def write_project(sample: str, folder: Path) -> Path:
    """Write the project with all layers of the demonstration, and return its path."""
    project = QgsProject.instance()
    project.setTitle("GeoAnon: Soho, 1854, masked and attacked")
    tree = project.layerTreeRoot()

    def add(group, layer, visible=True, expanded=True):
        project.addMapLayer(layer, False)
        node = group.addLayer(layer)
        node.setItemVisibilityChecked(visible)
        node.setExpanded(expanded)
        node.setCustomProperty("showFeatureCount", True)

    def from_sample(layer: str) -> str:
        return f"{sample}|layername={layer}"

    secret = tree.addGroup("Private: not to be given away")
    for name, source, role, visible in PRIVATE_LAYERS:
        path = str(folder / "private" / source) if source.endswith("gpkg") else from_sample(source)
        # The legend of the first layer explains the colours of the others.
        add(secret, load(path, name, role), visible, expanded=role == styling.SCORED)

    released = tree.addGroup("Release")
    masked = load(str(folder / "release" / "masked.gpkg"), "Release: Masked points", styling.MASKED)
    add(released, masked)

    context = tree.addGroup("What everybody may know")
    pumps = load(from_sample("pumps"), "Water pumps")
    pumps.setRenderer(
        QgsSingleSymbolRenderer(
            QgsMarkerSymbol.createSimple(
                {"name": "cross2", "outline_color": "#009e73", "outline_width": "0.8", "size": "3"}
            )
        )
    )
    add(context, pumps)
    addresses = load(
        from_sample("addresses"), "Addresses (made up for demonstration)", styling.CANDIDATES
    )
    add(context, addresses)

    project.setCrs(masked.crs())
    extent = masked.extent()
    extent.scale(1.15)
    project.viewSettings().setDefaultViewExtent(QgsReferencedRectangle(extent, masked.crs()))
    # Relative paths: the folder can be moved together with the checkout.
    project.writeEntryBool("Paths", "/Absolute", False)
    path = folder / "soho_1854.qgz"
    if not project.write(str(path)):
        sys.exit(f"QGIS cannot write {path}: {project.error()}")
    return path


def summary(masking: dict, attack: dict, distances: dict) -> str:
    """Say in a few lines what the algorithms found."""
    return "\n".join(
        (
            f"{masking['COUNT']} places of death were masked: half of the points moved by more "
            f"than {masking['MEDIAN_SHIFT']:.1f} m;",
            f"{masking['SINGLETONS']} are alone at their masked place, {masking['PAIRED']} share "
            f"it with their neighbour, {masking['UNMOVED']} did not move.",
            f"An adversary with the address list assigns a place to {attack['FOUND']} of them and "
            f"expects {attack['EXPECTED_CORRECT']:.0f} to be right;",
            f"by the key {attack['CORRECT']} are: {attack['SHARE_CORRECT']:.0%} of all people "
            "masked were found again.",
            "Released as distances instead, the nearest neighbour of "
            f"{distances['NEAREST_KEPT']:.0%} is still right; half of the distances are below "
            f"{distances['MEDIAN_RATIO']:.0%} of the true ones.",
        )
    )


def main(sample: str, folder: str, *printed: str) -> None:
    """Write the project and print the summary."""
    application = QgsApplication([], True)
    application.initQgis()
    try:
        project = write_project(sample, Path(folder))
    finally:
        QgsProject.instance().clear()
        application.exitQgis()

    results = [json.loads(Path(path).read_text(encoding="utf-8"))["results"] for path in printed]
    print()
    print(summary(*results))
    print()
    print(f"The release:          {folder}/release/masked.gpkg")
    print(f"or, without places:   {folder}/release/records.gpkg with distances.csv")
    reports = ", ".join(f"{folder}/private/{name}.html" for name in _REPORTS)
    print(f"Private, the reports: {reports}")
    print(f"Private, the map:     {project} (open it in QGIS)")


if __name__ == "__main__":
    main(*sys.argv[1:])

# SPDX-License-Identifier: GPL-2.0-or-later
"""What a dialog that aggregates proposes: the records of the regions, and about ten regions an area.

Which fields of people others may know is for the data holder to say; of made-up people all are taken.
"""

from __future__ import annotations

from typing import Any

from qgis.core import QgsProcessingContext, QgsProject, QgsVectorLayer, QgsWkbTypes

from ..processing import styling
from ..processing.dialog import rules
from ..processing.styling import origin_of, secrecy_of

_REGIONS_AN_AREA = 10


def propose_counting(wrappers: dict[str, Any], project: QgsProject) -> None:
    """Propose records that know the regions, and what a run needs besides.

    Parameters
    ----------
    wrappers : dict of str to QgsAbstractProcessingParameterWidgetWrapper
        Of all parameters of a dialog, by name.
    project : QgsProject
    """
    if not {"REGIONS", "REGION_ID", "RECORDS", "QIS", "SITES", "SITES_BY"} <= set(wrappers):
        return
    context = QgsProcessingContext()

    def value(name: str) -> Any:
        return wrappers[name].parameterValue()

    def put(name: str, new: Any) -> None:
        wrappers[name].setParameterValue(new, context)

    regions = project.mapLayer(str(value("REGIONS")))
    if regions is None or not rules.is_empty(value("RECORDS")):
        return
    records = _records_of(str(value("REGION_ID")), project)
    if records is None:
        return
    put("RECORDS", records.id())
    if origin_of(records).role == styling.SYNTHETIC and rules.is_empty(value("QIS")):
        put("QIS", [one for one in _attributes(records) if one != value("REGION_ID")])
    if rules.is_empty(value("SITES")):
        several = isinstance(value("SITES_BY"), list)
        put("SITES_BY", ["fixed"] if several else "fixed")
        put("SITES", max(1, regions.featureCount() // _REGIONS_AN_AREA))


def _records_of(region_id: str, project: QgsProject) -> QgsVectorLayer | None:
    """The table of people that has the regions' id: the last one that was made up, else any."""
    tables = [
        one
        for one in project.mapLayers().values()
        if isinstance(one, QgsVectorLayer)
        and one.wkbType() == QgsWkbTypes.Type.NoGeometry
        and region_id in one.fields().names()
        and (not secrecy_of(one) or origin_of(one).role == styling.SYNTHETIC)
    ]
    return max(tables, key=lambda one: origin_of(one).number, default=None)


def _attributes(layer: QgsVectorLayer) -> list[str]:
    keys = {layer.fields()[at].name() for at in layer.primaryKeyAttributes()}
    return [one for one in layer.fields().names() if one not in keys]

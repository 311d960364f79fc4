# SPDX-License-Identifier: GPL-2.0-or-later
"""The provider: the one place that lists the algorithms."""

from __future__ import annotations

from contextlib import suppress

from qgis.core import QgsApplication, QgsProcessingProvider
from qgis.PyQt.QtGui import QIcon

from .. import paths
from .i18n import tr


class GeoAnonProvider(QgsProcessingProvider):
    """What GeoAnon adds to the Processing toolbox. Loads with NumPy alone."""

    def id(self):
        """Return the prefix of all algorithm ids, which never changes."""
        return "geoanon"

    def name(self):
        """Return the name in the toolbox."""
        return "GeoAnon"

    def longName(self):
        """Return the name with what it is for."""
        return tr("GeoAnon: mask, release and attack geographic microdata")

    def versionInfo(self):
        """Return the plugin's version."""
        return paths.metadata().get("version", "")

    def icon(self):
        """Return the icon for the toolbox."""
        return QIcon(self.svgIconPath())

    def svgIconPath(self):
        """Return the icon's file."""
        return paths.icon()

    def load(self):
        """Load the algorithms now, and the models once QGIS knows the provider."""
        QgsApplication.processingRegistry().providerAdded.connect(self._when_added)
        self.refreshAlgorithms()
        return True

    def unload(self):
        """Stop listening."""
        # QGIS 3.44 has no registry any more when it asks this while it ends; an exception here,
        # in a call from C++, would end the process on the spot.
        registry = QgsApplication.processingRegistry()
        if registry is not None:
            with suppress(TypeError):  # not connected
                registry.providerAdded.disconnect(self._when_added)

    def loadAlgorithms(self):
        """Add everything that GeoAnon brings."""
        for algorithm in algorithm_classes():
            self.addAlgorithm(algorithm())
        if QgsApplication.processingRegistry().providerById(self.id()) is not None:
            from .models import packaged_models

            for model in packaged_models():
                self.addAlgorithm(model)

    def _when_added(self, provider_id: str) -> None:
        # A model looks its steps up in the registry, which knows this provider only from now on.
        if provider_id == self.id():
            self.refreshAlgorithms()


def algorithm_classes() -> tuple[type, ...]:
    """Return all algorithm classes, in the order of the toolbox's groups."""
    from .algorithms.areacounts import AreaCountsAlgorithm
    from .algorithms.attackmask import AttackMaskAlgorithm
    from .algorithms.checkenvironment import CheckEnvironmentAlgorithm
    from .algorithms.chooseembedding import ChooseEmbeddingAlgorithm
    from .algorithms.choosemask import ChooseMaskAlgorithm
    from .algorithms.disclosurerisk import DisclosureRiskAlgorithm
    from .algorithms.distanceaccuracy import DistanceAccuracyAlgorithm
    from .algorithms.equivalenceclasses import EquivalenceClassesAlgorithm
    from .algorithms.isgprelease import IsgpReleaseAlgorithm
    from .algorithms.linkageattack import LinkageAttackAlgorithm
    from .algorithms.linkageexperiment import LinkageExperimentAlgorithm
    from .algorithms.lipschitzrelease import LipschitzReleaseAlgorithm
    from .algorithms.maskadaptivevoronoi import MaskAdaptiveVoronoiAlgorithm
    from .algorithms.maskaggregate import MaskAggregateAlgorithm
    from .algorithms.maskdisplace import MaskDisplaceAlgorithm
    from .algorithms.maskexchange import MaskExchangeAlgorithm
    from .algorithms.masklocationswap import MaskLocationSwapAlgorithm
    from .algorithms.maskmeasures import MaskMeasuresAlgorithm
    from .algorithms.maskstreets import MaskStreetsAlgorithm
    from .algorithms.microdatautility import MicrodataUtilityAlgorithm
    from .algorithms.noisydistances import NoisyDistancesAlgorithm
    from .algorithms.reversevoronoi import ReverseVoronoiAlgorithm
    from .algorithms.spectralanonymize import SpectralAnonymizeAlgorithm
    from .algorithms.syntheticrecords import SyntheticRecordsAlgorithm
    from .algorithms.vbas import VbasAlgorithm
    from .algorithms.vbascompare import VbasCompareAlgorithm
    from .algorithms.verifyrelease import VerifyReleaseAlgorithm
    from .algorithms.voronoimask import VoronoiMaskAlgorithm

    return (
        MaskExchangeAlgorithm,
        MaskDisplaceAlgorithm,
        MaskLocationSwapAlgorithm,
        MaskStreetsAlgorithm,
        MaskAdaptiveVoronoiAlgorithm,
        MaskAggregateAlgorithm,
        VoronoiMaskAlgorithm,
        VbasAlgorithm,
        VbasCompareAlgorithm,
        AreaCountsAlgorithm,
        SyntheticRecordsAlgorithm,
        LipschitzReleaseAlgorithm,
        NoisyDistancesAlgorithm,
        IsgpReleaseAlgorithm,
        DistanceAccuracyAlgorithm,
        ChooseEmbeddingAlgorithm,
        AttackMaskAlgorithm,
        MaskMeasuresAlgorithm,
        ChooseMaskAlgorithm,
        ReverseVoronoiAlgorithm,
        LinkageAttackAlgorithm,
        LinkageExperimentAlgorithm,
        SpectralAnonymizeAlgorithm,
        DisclosureRiskAlgorithm,
        MicrodataUtilityAlgorithm,
        EquivalenceClassesAlgorithm,
        VerifyReleaseAlgorithm,
        CheckEnvironmentAlgorithm,
    )

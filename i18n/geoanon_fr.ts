<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" sourcelanguage="en" language="fr">
<context>
    <name>GeoAnon</name>
    <message numerus="yes">
        <source>{n} records</source>
        <extracomment>One: {n} record</extracomment>
        <translation><numerusform>{n} enregistrement</numerusform><numerusform>{n} enregistrements</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>{n} records are</source>
        <extracomment>One: {n} record is</extracomment>
        <translation><numerusform>{n} enregistrement est</numerusform><numerusform>{n} enregistrements sont</numerusform></translation>
    </message>
    <message>
        <source>linking releases</source>
        <translation>mise en relation des publications</translation>
    </message>
    <message numerus="yes">
        <source>{n} people</source>
        <extracomment>One: {n} person</extracomment>
        <translation><numerusform>{n} personne</numerusform><numerusform>{n} personnes</numerusform></translation>
    </message>
    <message>
        <source>Gaussian</source>
        <translation>Gaussien</translation>
    </message>
    <message>
        <source>along streets</source>
        <translation>le long des rues</translation>
    </message>
    <message>
        <source>merged zones</source>
        <translation>zones fusionnées</translation>
    </message>
    <message>
        <source>areas of addresses</source>
        <translation>zones d’adresses</translation>
    </message>
    <message>
        <source>distances between points moved by a Gaussian</source>
        <translation>distances entre points déplacés par une gaussienne</translation>
    </message>
    <message>
        <source>distances between exchanged addresses</source>
        <translation>distances entre adresses échangées</translation>
    </message>
    <message>
        <source>distances between places changed in groups</source>
        <translation>distances entre lieux permutés dans des groupes</translation>
    </message>
    <message>
        <source>{first} from one file</source>
        <translation>{first} d’un même fichier</translation>
    </message>
    <message>
        <source>a single field of a released record</source>
        <translation>un seul champ d’un enregistrement publié</translation>
    </message>
    <message>
        <source>two different values</source>
        <translation>deux valeurs différentes</translation>
    </message>
    <message>
        <source>text with {different}</source>
        <translation>texte, {different}</translation>
    </message>
    <message>
        <source>whole numbers with {different}</source>
        <translation>nombres entiers, {different}</translation>
    </message>
    <message>
        <source>above zero and skewed ({raw:.1f}; logarithms {logs:.1f})</source>
        <translation>positif et asymétrique ({raw:.1f} ; logarithmes {logs:.1f})</translation>
    </message>
    <message>
        <source>numbers with {different}</source>
        <translation>nombres, {different}</translation>
    </message>
    <message>
        <source>What do you want to publish?</source>
        <translation>Que voulez-vous publier ?</translation>
    </message>
    <message>
        <source>Points: where people live, or where something happened</source>
        <translation>Des points : où des gens habitent, ou où quelque chose s’est passé</translation>
    </message>
    <message>
        <source>Areas: records or numbers by district</source>
        <translation>Des zones : enregistrements ou nombres par district</translation>
    </message>
    <message>
        <source>Distances between records, without their places</source>
        <translation>Des distances entre enregistrements, sans leurs lieux</translation>
    </message>
    <message>
        <source>A table of attributes, with places or without</source>
        <translation>Un tableau d’attributs, avec ou sans lieux</translation>
    </message>
    <message>
        <source>Who may read it?</source>
        <translation>Qui pourra le lire ?</translation>
    </message>
    <message>
        <source>Anybody</source>
        <translation>Tout le monde</translation>
    </message>
    <message>
        <source>Researchers who have signed a contract</source>
        <translation>Des chercheurs qui ont signé un contrat</translation>
    </message>
    <message>
        <source>Colleagues in our own house</source>
        <translation>Des collègues de notre propre maison</translation>
    </message>
    <message>
        <source>What will he know?</source>
        <translation>Que saura le lecteur ?</translation>
    </message>
    <message>
        <source>Where there are addresses, but not who is in the file</source>
        <translation>Où il y a des adresses, mais pas qui est dans le fichier</translation>
    </message>
    <message>
        <source>That a certain person is in the file, and where she lives</source>
        <translation>Qu’une certaine personne est dans le fichier, et où elle habite</translation>
    </message>
    <message>
        <source>Besides that her age, sex, trade or the like</source>
        <translation>En plus, son âge, son sexe, son métier ou autre chose de ce genre</translation>
    </message>
    <message>
        <source>How often?</source>
        <translation>Combien de fois ?</translation>
    </message>
    <message>
        <source>Once</source>
        <translation>Une fois</translation>
    </message>
    <message>
        <source>Again, with the same people</source>
        <translation>Encore, avec les mêmes personnes</translation>
    </message>
    <message>
        <source>Anybody may read it: nobody may be found with more than 9 %, the threshold of the European Medicines Agency for published data. That asks for groups of 12.</source>
        <translation>Tout le monde peut le lire : personne ne doit pouvoir être trouvé avec plus de 9 %, le seuil de l’Agence européenne des médicaments pour les données publiées. Cela demande des groupes de 12.</translation>
    </message>
    <message>
        <source>Readers have signed what they must not do: one in five (20 %) is taken as the limit. This is our suggestion and no rule; your data protection officer decides.</source>
        <translation>Les lecteurs ont signé ce qu’ils ne doivent pas faire : une personne sur cinq (20 %) est prise comme limite. C’est notre proposition et non une règle ; votre délégué à la protection des données décide.</translation>
    </message>
    <message>
        <source>Colleagues who may see the originals need no release. For all others in the house one in five (20 %) is taken as the limit, since files travel. This is our suggestion and no rule; your data protection officer decides.</source>
        <translation>Des collègues qui ont le droit de voir les originaux n’ont pas besoin de publication. Pour tous les autres de la maison, une personne sur cinq (20 %) est prise comme limite, car les fichiers voyagent. C’est notre proposition et non une règle ; votre délégué à la protection des données décide.</translation>
    </message>
    <message>
        <source>I have no list of all addresses: displacement by numbers of people</source>
        <translation>Je n’ai pas de liste de toutes les adresses : déplacement selon le nombre de personnes</translation>
    </message>
    <message>
        <source>The report recommends a mask and has its command. Run it with its report, and attack the result with “Posterior attack on a point mask” before you give it away.</source>
        <translation>Le rapport recommande un masquage et en donne la commande. Exécutez-la avec son rapport, puis attaquez le résultat avec « Attaque a posteriori d’un masquage de points » avant de le donner.</translation>
    </message>
    <message>
        <source>I have no list of all addresses: areas with enough people</source>
        <translation>Je n’ai pas de liste de toutes les adresses : zones avec assez de personnes</translation>
    </message>
    <message>
        <source>Only numbers of cases and rates for each area, no records</source>
        <translation>Seulement des nombres de cas et des taux par zone, pas d’enregistrements</translation>
    </message>
    <message>
        <source>He asks who lives at the place of a point. An exchange of addresses promises that one point tells him one in k; how much a displacement hides depends on who lives there. Several masks are tried on your own points against him, and the one that keeps most is recommended, if one holds.</source>
        <translation>Il demande qui habite à l’endroit d’un point. Un échange d’adresses promet qu’un point lui dit une adresse sur k ; ce qu’un déplacement cache dépend de qui habite là. Plusieurs masquages sont essayés contre lui sur vos propres points, et celui qui conserve le plus est recommandé, s’il en est un qui tient.</translation>
    </message>
    <message>
        <source>He asks which record is hers, and finds it with any displacement of a useful size, as few other records lie near her home. Groups of records that change places promise him one in as many as a group has. Masks are tried on your own points against him and against who has only an address list.</source>
        <translation>Il demande quel enregistrement est le sien, et le trouve avec tout déplacement de taille utile, car peu d’autres enregistrements sont près de chez elle. Des groupes d’enregistrements qui changent de place lui promettent un enregistrement sur la taille du groupe. Des masquages sont essayés sur vos propres points contre lui et contre celui qui n’a qu’une liste d’adresses.</translation>
    </message>
    <message>
        <source>First see by which attributes people are alone</source>
        <translation>Voir d’abord par quels attributs des personnes sont seules</translation>
    </message>
    <message>
        <source>A mask hides nothing that is known of her besides. Name in KNOWN what he knows: only records that are alike in all of it hide each other, so that attributes have to be coarser first. Masks are then tried on your own points.</source>
        <translation>Un masquage ne cache rien de ce que l’on sait d’elle par ailleurs. Nommez dans KNOWN ce qu’il sait : seuls les enregistrements pareils en tout cela se cachent l’un l’autre, si bien que les attributs doivent d’abord être rendus plus grossiers. Ensuite des masquages sont essayés sur vos propres points.</translation>
    </message>
    <message>
        <source>Small areas are joined to larger ones until each combination of what others may know (QIS, such as age group and sex) is there several times in each; what is still rarer is left out.</source>
        <translation>De petites zones sont réunies en de plus grandes jusqu’à ce que chaque combinaison de ce que d’autres peuvent savoir (QIS, par exemple groupe d’âge et sexe) s’y trouve plusieurs fois ; ce qui reste plus rare est omis.</translation>
    </message>
    <message>
        <source>Read both reports, and compare what more areas would cost. Give away records and areas of one run, never of two.</source>
        <translation>Lisez les deux rapports, et comparez ce que coûteraient davantage de zones. Donnez les enregistrements et les zones d’une seule exécution, jamais de deux.</translation>
    </message>
    <message>
        <source>Two aggregations of the same records overlap to smaller areas. Keep the table of areas (LOOKUP) of each release, and give that of the one before as EARLIER: what its overlaps with the new areas show is then counted.</source>
        <translation>Deux agrégations des mêmes enregistrements se recoupent en zones plus petites. Gardez la table des zones (LOOKUP) de chaque publication, et donnez celle d’avant comme EARLIER : ce que ses recoupements avec les nouvelles zones montrent est alors compté.</translation>
    </message>
    <message>
        <source>Read the report's verdict on the earlier release before you give the new one away.</source>
        <translation>Lisez le verdict du rapport sur la publication précédente avant de donner la nouvelle.</translation>
    </message>
    <message>
        <source>I know the parameters already: make the release</source>
        <translation>Je connais déjà les paramètres : faire la publication</translation>
    </message>
    <message>
        <source>Sets and sizes are tried on your own points, with what they keep and who is found by somebody who has another file with the places of some of the people. Name in QIS what both files have. Neighbours give each other away: expect that little is recommended.</source>
        <translation>Des ensembles et des tailles sont essayés sur vos propres points, avec ce qu’ils conservent et qui est trouvé par quelqu’un qui a un autre fichier avec les lieux de quelques-unes des personnes. Nommez dans QIS ce que les deux fichiers ont. Les voisins se trahissent l’un l’autre : attendez-vous à peu de recommandations.</translation>
    </message>
    <message>
        <source>Make the release with “Lipschitz embedding release”, and attack it with “Graph-theoretic linkage attack” before you give it away.</source>
        <translation>Faites la publication avec « Publication par plongement de Lipschitz », et attaquez-la avec « Attaque par appariement de graphes » avant de la donner.</translation>
    </message>
    <message>
        <source>Sets and sizes are tried on your own points, with who is found by somebody who knows of some people (here 5) which records are theirs, and has a file with the places of others. Neighbours give each other away: expect that little is recommended.</source>
        <translation>Des ensembles et des tailles sont essayés sur vos propres points, avec qui est trouvé par quelqu’un qui sait de quelques personnes (ici 5) quels enregistrements sont les leurs, et qui a un fichier avec les lieux d’autres. Les voisins se trahissent l’un l’autre : attendez-vous à peu de recommandations.</translation>
    </message>
    <message>
        <source>I want to keep true values and make them coarser: see who is alone</source>
        <translation>Je veux garder des valeurs vraies et les rendre plus grossières : voir qui est seul</translation>
    </message>
    <message>
        <source>Attributes identify by combination. Values are changed; then four attacks, also on whether somebody is in the file, tell whether it is enough, and measures tell what is left of the statistics.</source>
        <translation>Les attributs identifient par leur combinaison. Des valeurs sont changées ; puis quatre attaques, dont une sur la présence de quelqu’un dans le fichier, disent si cela suffit, et des mesures disent ce qui reste des statistiques.</translation>
    </message>
    <message>
        <source>Read the report of the risk first. Addresses, postcodes and names are no attributes: leave them out.</source>
        <translation>Lisez d’abord le rapport du risque. Adresses, codes postaux et noms ne sont pas des attributs : omettez-les.</translation>
    </message>
    <message>
        <source>Keep the secret file of each release and give it to the next (SECRET). Several draws for one place give it away, whatever the mask.</source>
        <translation>Gardez le fichier secret de chaque publication et donnez-le à la suivante (SECRET). Plusieurs tirages pour un même lieu le trahissent, quel que soit le masquage.</translation>
    </message>
    <message>
        <source>A second embedding of the same records tells more than each of the two: publish once. If you must, attack all of them together (MORE_MATRICES of the linkage attack).</source>
        <translation>Un second plongement des mêmes enregistrements en dit plus que chacun des deux : publiez une seule fois. S’il le faut, attaquez-les tous ensemble (MORE_MATRICES de l’attaque par appariement).</translation>
    </message>
    <message>
        <source>Two anonymised versions of the same people tell more than one, and no tool here attacks both together: publish one version, and that one again.</source>
        <translation>Deux versions anonymisées des mêmes personnes en disent plus qu’une, et aucun outil ici n’attaque les deux ensemble : publiez une version, et toujours celle-là.</translation>
    </message>
    <message>
        <source>over 99 %</source>
        <translation>plus de 99 %</translation>
    </message>
    <message>
        <source>below 1 %</source>
        <translation>moins de 1 %</translation>
    </message>
    <message>
        <source>released as it is</source>
        <translation>publié tel quel</translation>
    </message>
    <message>
        <source>too near</source>
        <translation>trop proche</translation>
    </message>
    <message>
        <source>not near</source>
        <translation>pas proche</translation>
    </message>
    <message>
        <source>{share} of the usual distance</source>
        <translation>{share} de la distance habituelle</translation>
    </message>
    <message>
        <source>found, by the key</source>
        <translation>trouvé, d’après la clé</translation>
    </message>
    <message>
        <source>Who is at risk?</source>
        <translation>Qui est exposé ?</translation>
    </message>
    <message>
        <source>Save the last report as PDF</source>
        <translation>Enregistrer le dernier rapport en PDF</translation>
    </message>
    <message>
        <source>Load sample data: Soho, 1854</source>
        <translation>Charger les données d’exemple : Soho, 1854</translation>
    </message>
    <message>
        <source>GeoAnon: who is at risk?</source>
        <translation>GeoAnon : qui est exposé ?</translation>
    </message>
    <message>
        <source>This layer is no attack's: choose the layer that an attack has written.</source>
        <translation>Cette couche n’est pas celle d’une attaque : choisissez la couche qu’une attaque a écrite.</translation>
    </message>
    <message>
        <source>Which report?</source>
        <translation>Quel rapport ?</translation>
    </message>
    <message>
        <source>HTML files (*.html)</source>
        <translation>Fichiers HTML (*.html)</translation>
    </message>
    <message>
        <source>The report is saved as {path}.</source>
        <translation>Le rapport est enregistré dans {path}.</translation>
    </message>
    <message>
        <source>PRIVATE: this shows where people live</source>
        <translation>CONFIDENTIEL : ceci montre où des personnes habitent</translation>
    </message>
    <message>
        <source>What an attack has found</source>
        <translation>Ce qu’une attaque a trouvé</translation>
    </message>
    <message>
        <source>Key of the release: it says who is who, and where</source>
        <translation>Clé de la publication : elle dit qui est qui, et où</translation>
    </message>
    <message>
        <source>◀ Back</source>
        <translation>◀ Retour</translation>
    </message>
    <message>
        <source>Next ▶</source>
        <translation>Suivant ▶</translation>
    </message>
    <message>
        <source>Pick on map</source>
        <translation>Choisir sur la carte</translation>
    </message>
    <message>
        <source>Withhold</source>
        <translation>Retenir</translation>
    </message>
    <message>
        <source>Write the record into a layer of records to withhold. Give that layer to the mask (Records to withhold) when you mask again.</source>
        <translation>Écrire l’enregistrement dans une couche d’enregistrements à retenir. Donnez cette couche au masquage (Enregistrements à retenir) quand vous masquez de nouveau.</translation>
    </message>
    <message>
        <source>Key: as the attack was run</source>
        <translation>Clé : comme l’attaque a été exécutée</translation>
    </message>
    <message>
        <source>Key: {name}</source>
        <translation>Clé : {name}</translation>
    </message>
    <message>
        <source>PRIVATE: record {name}</source>
        <translation>CONFIDENTIEL : enregistrement {name}</translation>
    </message>
    <message>
        <source>Record {name}: {rank:,} of {all} by risk</source>
        <translation>Enregistrement {name} : {rank:,} sur {all} par risque</translation>
    </message>
    <message>
        <source>This attack has found nobody: its layer lists no record at risk.</source>
        <translation>Cette attaque n’a trouvé personne : sa couche ne contient aucun enregistrement exposé.</translation>
    </message>
    <message>
        <source>There is nothing to look at yet. Run an attack on your release (Processing toolbox, GeoAnon, “Attack a release” or “Disclosure risk of microdata”) and have its layers loaded; then open this dock again.</source>
        <translation>Il n’y a encore rien à regarder. Lancez une attaque contre votre publication (boîte à outils de traitements, GeoAnon, « Attaquer une publication » ou « Risque de divulgation de microdonnées ») et faites charger ses couches ; puis ouvrez de nouveau ce panneau.</translation>
    </message>
    <message>
        <source>where the mask could have put the point</source>
        <translation>où le masquage a pu mettre le point</translation>
    </message>
    <message>
        <source>what the mask did</source>
        <translation>ce que le masquage a fait</translation>
    </message>
    <message>
        <source>what the adversary concludes</source>
        <translation>ce que l’adversaire conclut</translation>
    </message>
    <message>
        <source>address that explains the point</source>
        <translation>adresse qui explique le point</translation>
    </message>
    <message>
        <source>the other place of the pair</source>
        <translation>l’autre lieu de la paire</translation>
    </message>
    <message>
        <source>where the adversary looks for the person</source>
        <translation>où l’adversaire cherche la personne</translation>
    </message>
    <message>
        <source>nearest released record</source>
        <translation>enregistrement publié le plus proche</translation>
    </message>
    <message>
        <source>released point</source>
        <translation>point publié</translation>
    </message>
    <message>
        <source>true place</source>
        <translation>vrai lieu</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>Enregistrement</translation>
    </message>
    <message>
        <source>At risk</source>
        <translation>Exposé</translation>
    </message>
    <message>
        <source>{path} is no report of GeoAnon.</source>
        <translation>{path} n’est pas un rapport de GeoAnon.</translation>
    </message>
    <message>
        <source>The report {path} cannot be saved as PDF: {why}</source>
        <translation>Le rapport {path} ne peut être enregistré en PDF : {why}</translation>
    </message>
    <message>
        <source>deaths</source>
        <translation>décès</translation>
    </message>
    <message>
        <source>pumps</source>
        <translation>pompes</translation>
    </message>
    <message>
        <source>addresses (made up)</source>
        <translation>adresses (inventées)</translation>
    </message>
    <message>
        <source>Sample: Soho, 1854</source>
        <translation>Exemple : Soho, 1854</translation>
    </message>
    <message>
        <source>GeoAnon: what do you want to publish?</source>
        <translation>GeoAnon : que voulez-vous publier ?</translation>
    </message>
    <message>
        <source>Filled in for you</source>
        <translation>Rempli pour vous</translation>
    </message>
    <message>
        <source>Open “{tool}”</source>
        <translation>Ouvrir « {tool} »</translation>
    </message>
    <message>
        <source>Private: Records to withhold, by hand</source>
        <translation>Confidentiel : enregistrements à retenir, à la main</translation>
    </message>
    <message>
        <source>Counts and rates by area</source>
        <translation>Nombres et taux par zone</translation>
    </message>
    <message>
        <source>Counts and rates</source>
        <translation>Nombres et taux</translation>
    </message>
    <message>
        <source>Areas with their rates</source>
        <translation>Zones avec leurs taux</translation>
    </message>
    <message>
        <source>What can be worked out</source>
        <translation>Ce qui peut être recalculé</translation>
    </message>
    <message>
        <source>Numbers in the table</source>
        <translation>Nombres dans la table</translation>
    </message>
    <message>
        <source>Small numbers</source>
        <translation>Petits nombres</translation>
    </message>
    <message>
        <source>Numbers left out</source>
        <translation>Nombres omis</translation>
    </message>
    <message>
        <source>Small numbers that cannot be protected</source>
        <translation>Petits nombres qui ne peuvent être protégés</translation>
    </message>
    <message>
        <source>Share of cases in areas that are left out</source>
        <translation>Part des cas dans des zones omises</translation>
    </message>
    <message>
        <source>Areas or regions with counts</source>
        <translation>Zones ou régions avec leurs nombres</translation>
    </message>
    <message>
        <source>Field with the area</source>
        <translation>Champ avec la zone</translation>
    </message>
    <message>
        <source>Fields with cases</source>
        <translation>Champs avec les cas</translation>
    </message>
    <message>
        <source>Fields with people</source>
        <translation>Champs avec les personnes</translation>
    </message>
    <message>
        <source>Fields of wider units</source>
        <translation>Champs d’unités plus larges</translation>
    </message>
    <message>
        <source>K</source>
        <translation>K</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>Zéros</translation>
    </message>
    <message>
        <source>People to whom a rate refers</source>
        <translation>Personnes auxquelles un taux se rapporte</translation>
    </message>
    <message>
        <source>Field with all cases, of which those of CASES are parts</source>
        <translation>Champ avec tous les cas, dont ceux de CASES sont des parties</translation>
    </message>
    <message>
        <source>Nobody is counted in two of the fields with cases</source>
        <translation>Personne n’est compté dans deux des champs avec des cas</translation>
    </message>
    <message>
        <source>Posterior attack on a point mask</source>
        <translation>Attaque a posteriori d’un masquage de points</translation>
    </message>
    <message>
        <source>Check environment</source>
        <translation>Vérifier l’environnement</translation>
    </message>
    <message>
        <source>Packages that can be used</source>
        <translation>Paquets utilisables</translation>
    </message>
    <message>
        <source>Packages missing, too old or broken</source>
        <translation>Paquets absents, trop anciens ou endommagés</translation>
    </message>
    <message>
        <source>Command that installs them</source>
        <translation>Commande qui les installe</translation>
    </message>
    <message>
        <source>Choose embedding parameters</source>
        <translation>Choisir les paramètres du plongement</translation>
    </message>
    <message>
        <source>Recommended number of sets</source>
        <translation>Nombre d’ensembles recommandé</translation>
    </message>
    <message>
        <source>Recommended size</source>
        <translation>Taille recommandée</translation>
    </message>
    <message>
        <source>Recommended noise before the embedding</source>
        <translation>Bruit recommandé avant le plongement</translation>
    </message>
    <message>
        <source>Recommended radius of ISGP</source>
        <translation>Rayon d’ISGP recommandé</translation>
    </message>
    <message>
        <source>Rows that meet the limit</source>
        <translation>Lignes qui respectent la limite</translation>
    </message>
    <message>
        <source>Worst overlap</source>
        <translation>Pire recouvrement</translation>
    </message>
    <message>
        <source>Choose a point mask</source>
        <translation>Choisir un masquage de points</translation>
    </message>
    <message>
        <source>Recommended mask, for programs</source>
        <translation>Masquage recommandé, pour les programmes</translation>
    </message>
    <message>
        <source>Recommended mask</source>
        <translation>Masquage recommandé</translation>
    </message>
    <message>
        <source>Masks that hold</source>
        <translation>Masquages qui tiennent</translation>
    </message>
    <message>
        <source>Mean shift of the recommended mask (metres)</source>
        <translation>Déplacement moyen du masquage recommandé (mètres)</translation>
    </message>
    <message>
        <source>Share of the records that it withholds</source>
        <translation>Part des enregistrements qu’il retient</translation>
    </message>
    <message>
        <source>Belief beforehand up to which it holds</source>
        <translation>Croyance préalable jusqu’à laquelle il tient</translation>
    </message>
    <message>
        <source>Disclosure risk of microdata</source>
        <translation>Risque de divulgation de microdonnées</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Verdict</translation>
    </message>
    <message>
        <source>Adequate (1) or not (0)</source>
        <translation>Suffisant (1) ou non (0)</translation>
    </message>
    <message>
        <source>Records measured</source>
        <translation>Enregistrements mesurés</translation>
    </message>
    <message>
        <source>Originals released as they are</source>
        <translation>Originaux publiés tels quels</translation>
    </message>
    <message>
        <source>Most of them that the reference explains</source>
        <translation>La plupart d’entre eux, que la référence explique</translation>
    </message>
    <message>
        <source>Those like no other original</source>
        <translation>Ceux qui ne ressemblent à aucun autre original</translation>
    </message>
    <message>
        <source>Originals with a released record too near</source>
        <translation>Originaux avec un enregistrement publié trop proche</translation>
    </message>
    <message>
        <source>Excess of prediction distance</source>
        <translation>Excès de distance de prédiction</translation>
    </message>
    <message>
        <source>Excess of prediction ambiguity</source>
        <translation>Excès d’ambiguïté de prédiction</translation>
    </message>
    <message>
        <source>Excess of prediction uncertainty</source>
        <translation>Excès d’incertitude de prédiction</translation>
    </message>
    <message>
        <source>Share of records re-identified</source>
        <translation>Part des enregistrements réidentifiés</translation>
    </message>
    <message>
        <source>AUC of prediction distance</source>
        <translation>AUC de la distance de prédiction</translation>
    </message>
    <message>
        <source>AUC of prediction ambiguity</source>
        <translation>AUC de l’ambiguïté de prédiction</translation>
    </message>
    <message>
        <source>AUC of prediction uncertainty</source>
        <translation>AUC de l’incertitude de prédiction</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>Référence</translation>
    </message>
    <message>
        <source>Neighbours looked at (k)</source>
        <translation>Voisins examinés (k)</translation>
    </message>
    <message>
        <source>Margin</source>
        <translation>Marge</translation>
    </message>
    <message>
        <source>Measure everybody</source>
        <translation>Mesurer tout le monde</translation>
    </message>
    <message>
        <source>Accuracy of released distances</source>
        <translation>Exactitude des distances publiées</translation>
    </message>
    <message>
        <source>Measures</source>
        <translation>Mesures</translation>
    </message>
    <message>
        <source>Median of released / true distance</source>
        <translation>Médiane de distance publiée / vraie</translation>
    </message>
    <message>
        <source>Share of nearest neighbours kept</source>
        <translation>Part des plus proches voisins conservés</translation>
    </message>
    <message>
        <source>Rank correlation of distances</source>
        <translation>Corrélation de rang des distances</translation>
    </message>
    <message>
        <source>Largest excess over the true distance</source>
        <translation>Plus grand excès sur la vraie distance</translation>
    </message>
    <message>
        <source>Combinations tried</source>
        <translation>Combinaisons essayées</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>Points</translation>
    </message>
    <message>
        <source>Released distance matrix</source>
        <translation>Matrice de distances publiée</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Clé</translation>
    </message>
    <message>
        <source>Numbers of reference sets (d) to try</source>
        <translation>Nombres d’ensembles de référence (d) à essayer</translation>
    </message>
    <message>
        <source>Sizes of reference sets (k) to try</source>
        <translation>Tailles d’ensembles de référence (k) à essayer</translation>
    </message>
    <message>
        <source>Repetitions</source>
        <translation>Répétitions</translation>
    </message>
    <message>
        <source>Numeric attributes for Moran's I</source>
        <translation>Attributs numériques pour l’I de Moran</translation>
    </message>
    <message>
        <source>Most records used</source>
        <translation>Nombre maximal d’enregistrements utilisés</translation>
    </message>
    <message>
        <source>Equivalence classes</source>
        <translation>Classes d’équivalence</translation>
    </message>
    <message>
        <source>Class of each record</source>
        <translation>Classe de chaque enregistrement</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>Classes</translation>
    </message>
    <message>
        <source>What could be grouped</source>
        <translation>Ce qui pourrait être regroupé</translation>
    </message>
    <message>
        <source>Records</source>
        <translation>Enregistrements</translation>
    </message>
    <message>
        <source>Smallest class</source>
        <translation>Plus petite classe</translation>
    </message>
    <message>
        <source>Unique records</source>
        <translation>Enregistrements uniques</translation>
    </message>
    <message>
        <source>Records in small classes</source>
        <translation>Enregistrements dans de petites classes</translation>
    </message>
    <message>
        <source>Entropy (bits)</source>
        <translation>Entropie (bits)</translation>
    </message>
    <message>
        <source>Possible combinations</source>
        <translation>Combinaisons possibles</translation>
    </message>
    <message>
        <source>Fewest different sensitive values (l)</source>
        <translation>Plus petit nombre de valeurs sensibles différentes (l)</translation>
    </message>
    <message>
        <source>Farthest class (t)</source>
        <translation>Classe la plus éloignée (t)</translation>
    </message>
    <message>
        <source>Records that share their sensitive value with all of their class</source>
        <translation>Enregistrements dont toute la classe partage la valeur sensible</translation>
    </message>
    <message>
        <source>Unique records that are unique in the population, at the least</source>
        <translation>Enregistrements uniques qui le sont dans la population, au moins</translation>
    </message>
    <message>
        <source>Unique records that are unique in the population, at the most</source>
        <translation>Enregistrements uniques qui le sont dans la population, au plus</translation>
    </message>
    <message>
        <source>Chance that who agrees with a unique record is the person</source>
        <translation>Chance que celui qui concorde avec un enregistrement unique soit la personne</translation>
    </message>
    <message>
        <source>Quasi-identifiers</source>
        <translation>Quasi-identifiants</translation>
    </message>
    <message>
        <source>Fewest records in a class (k)</source>
        <translation>Plus petit nombre d’enregistrements d’une classe (k)</translation>
    </message>
    <message>
        <source>ISGP release</source>
        <translation>Publication ISGP</translation>
    </message>
    <message>
        <source>Records released</source>
        <translation>Enregistrements publiés</translation>
    </message>
    <message>
        <source>Graph-theoretic linkage attack</source>
        <translation>Attaque par appariement de graphes</translation>
    </message>
    <message>
        <source>Candidate matches</source>
        <translation>Appariements candidats</translation>
    </message>
    <message>
        <source>Agreeing pairs of them</source>
        <translation>Paires d’entre eux qui concordent</translation>
    </message>
    <message>
        <source>Matches</source>
        <translation>Appariements</translation>
    </message>
    <message>
        <source>Proven to be the most</source>
        <translation>Prouvé maximal</translation>
    </message>
    <message>
        <source>Matches in every maximum clique found</source>
        <translation>Appariements dans chaque clique maximum trouvée</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Précision</translation>
    </message>
    <message>
        <source>Recall</source>
        <translation>Rappel</translation>
    </message>
    <message>
        <source>Linkage experiment</source>
        <translation>Expérience d’appariement</translation>
    </message>
    <message>
        <source>Cells of the experiment</source>
        <translation>Cellules de l’expérience</translation>
    </message>
    <message>
        <source>Cells finished</source>
        <translation>Cellules terminées</translation>
    </message>
    <message>
        <source>Highest mean precision</source>
        <translation>Plus haute précision moyenne</translation>
    </message>
    <message>
        <source>Highest mean recall</source>
        <translation>Plus haut rappel moyen</translation>
    </message>
    <message>
        <source>Lipschitz embedding release</source>
        <translation>Publication par plongement de Lipschitz</translation>
    </message>
    <message>
        <source>Reference sets</source>
        <translation>Ensembles de référence</translation>
    </message>
    <message>
        <source>Number of reference sets (d)</source>
        <translation>Nombre d’ensembles de référence (d)</translation>
    </message>
    <message>
        <source>Reference points in each set (k)</source>
        <translation>Points de référence de chaque ensemble (k)</translation>
    </message>
    <message>
        <source>Noise before the embedding (metres)</source>
        <translation>Bruit avant le plongement (mètres)</translation>
    </message>
    <message>
        <source>Step of the released distances (metres)</source>
        <translation>Pas des distances publiées (mètres)</translation>
    </message>
    <message>
        <source>Area</source>
        <translation>Zone</translation>
    </message>
    <message>
        <source>Adaptive Voronoi masking</source>
        <translation>Masquage de Voronoï adaptatif</translation>
    </message>
    <message>
        <source>Merged areas</source>
        <translation>Zones réunies</translation>
    </message>
    <message>
        <source>Least number of people in an area</source>
        <translation>Plus petit nombre de personnes d’une zone</translation>
    </message>
    <message>
        <source>Points alone in their area</source>
        <translation>Points seuls dans leur zone</translation>
    </message>
    <message>
        <source>Points that went to a border</source>
        <translation>Points mis sur une limite</translation>
    </message>
    <message>
        <source>Points released outside of their area</source>
        <translation>Points publiés hors de leur zone</translation>
    </message>
    <message>
        <source>Points kept from an earlier release</source>
        <translation>Points gardés d’une publication antérieure</translation>
    </message>
    <message>
        <source>Aggregation masking (grid, hexagons, zones, merged zones)</source>
        <translation>Masquage par agrégation (grille, hexagones, zones, zones réunies)</translation>
    </message>
    <message>
        <source>Areas with released points</source>
        <translation>Zones avec des points publiés</translation>
    </message>
    <message>
        <source>Records alone in their area</source>
        <translation>Enregistrements seuls dans leur zone</translation>
    </message>
    <message>
        <source>Displacement masking</source>
        <translation>Masquage par déplacement</translation>
    </message>
    <message>
        <source>Exchange of addresses</source>
        <translation>Échange d’adresses</translation>
    </message>
    <message>
        <source>Location swapping</source>
        <translation>Permutation de lieux</translation>
    </message>
    <message>
        <source>Points in widened rings</source>
        <translation>Points dans des anneaux élargis</translation>
    </message>
    <message>
        <source>Measures of a point mask</source>
        <translation>Mesures d’un masquage de points</translation>
    </message>
    <message>
        <source>Street masking</source>
        <translation>Masquage par les rues</translation>
    </message>
    <message>
        <source>Nodes of the street network</source>
        <translation>Nœuds du réseau de rues</translation>
    </message>
    <message>
        <source>Pieces of the street network</source>
        <translation>Morceaux du réseau de rues</translation>
    </message>
    <message>
        <source>Nodes to which a point could go</source>
        <translation>Nœuds où un point pouvait aller</translation>
    </message>
    <message>
        <source>Starts of a released point, at least</source>
        <translation>Départs d’un point publié, au moins</translation>
    </message>
    <message>
        <source>Utility of anonymised microdata</source>
        <translation>Utilité de microdonnées anonymisées</translation>
    </message>
    <message>
        <source>Median difference of means</source>
        <translation>Différence médiane des moyennes</translation>
    </message>
    <message>
        <source>Median difference of variances</source>
        <translation>Différence médiane des variances</translation>
    </message>
    <message>
        <source>Median difference of correlations</source>
        <translation>Différence médiane des corrélations</translation>
    </message>
    <message>
        <source>Median difference of rank correlations</source>
        <translation>Différence médiane des corrélations de rang</translation>
    </message>
    <message>
        <source>Largest difference of distributions</source>
        <translation>Plus grande différence de distributions</translation>
    </message>
    <message>
        <source>Shift of the mean centre (metres)</source>
        <translation>Déplacement du centre moyen (mètres)</translation>
    </message>
    <message>
        <source>Median difference of Moran's I</source>
        <translation>Différence médiane de l’I de Moran</translation>
    </message>
    <message>
        <source>Median overlap of intervals</source>
        <translation>Recouvrement médian des intervalles</translation>
    </message>
    <message>
        <source>Least overlap of intervals</source>
        <translation>Plus petit recouvrement des intervalles</translation>
    </message>
    <message>
        <source>Largest AUC lost</source>
        <translation>Plus grande perte d’AUC</translation>
    </message>
    <message>
        <source>pMSE over its expectation, by fields</source>
        <translation>pMSE rapporté à son espérance, par champs</translation>
    </message>
    <message>
        <source>pMSE over its expectation, by pairs</source>
        <translation>pMSE rapporté à son espérance, par paires</translation>
    </message>
    <message>
        <source>Largest difference of mutual information (bits)</source>
        <translation>Plus grande différence d’information mutuelle (bits)</translation>
    </message>
    <message>
        <source>Median correlation of rates by zone</source>
        <translation>Corrélation médiane des taux par zone</translation>
    </message>
    <message>
        <source>Noisy distance release</source>
        <translation>Publication de distances bruitées</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>Bruit</translation>
    </message>
    <message>
        <source>Size of the noise</source>
        <translation>Taille du bruit</translation>
    </message>
    <message>
        <source>Unit of the size</source>
        <translation>Unité de la taille</translation>
    </message>
    <message>
        <source>Reverse Voronoi masking</source>
        <translation>Inverser le masquage de Voronoï</translation>
    </message>
    <message>
        <source>Assigned candidates</source>
        <translation>Candidats attribués</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>Liens</translation>
    </message>
    <message>
        <source>Records found</source>
        <translation>Enregistrements trouvés</translation>
    </message>
    <message>
        <source>Expected number of right assignments</source>
        <translation>Nombre attendu d’attributions justes</translation>
    </message>
    <message>
        <source>Right assignments (with a key)</source>
        <translation>Attributions justes (avec une clé)</translation>
    </message>
    <message>
        <source>Share of right assignments (with a key)</source>
        <translation>Part d’attributions justes (avec une clé)</translation>
    </message>
    <message>
        <source>Masked points</source>
        <translation>Points masqués</translation>
    </message>
    <message>
        <source>Candidate places</source>
        <translation>Lieux candidats</translation>
    </message>
    <message>
        <source>Field with the candidates' ids</source>
        <translation>Champ avec les identifiants des candidats</translation>
    </message>
    <message>
        <source>Key, to score the attack</source>
        <translation>Clé, pour noter l’attaque</translation>
    </message>
    <message>
        <source>Tolerance (metres)</source>
        <translation>Tolérance (mètres)</translation>
    </message>
    <message>
        <source>Noise on the masked points (metres)</source>
        <translation>Bruit des points masqués (mètres)</translation>
    </message>
    <message>
        <source>Spectral anonymization</source>
        <translation>Anonymisation spectrale</translation>
    </message>
    <message>
        <source>Anonymised records</source>
        <translation>Enregistrements anonymisés</translation>
    </message>
    <message>
        <source>Columns of numbers</source>
        <translation>Colonnes de nombres</translation>
    </message>
    <message>
        <source>Records left out</source>
        <translation>Enregistrements omis</translation>
    </message>
    <message>
        <source>Fewest records that share a mean</source>
        <translation>Plus petit nombre d’enregistrements qui partagent une moyenne</translation>
    </message>
    <message>
        <source>Area that points must lie in</source>
        <translation>Zone où les points doivent rester</translation>
    </message>
    <message>
        <source>Synthetic records</source>
        <translation>Enregistrements synthétiques</translation>
    </message>
    <message>
        <source>Synthetic records as Parquet</source>
        <translation>Enregistrements synthétiques en Parquet</translation>
    </message>
    <message>
        <source>Records made</source>
        <translation>Enregistrements créés</translation>
    </message>
    <message>
        <source>Regions</source>
        <translation>Régions</translation>
    </message>
    <message>
        <source>Field with the regions' id</source>
        <translation>Champ avec l’identifiant des régions</translation>
    </message>
    <message>
        <source>Field with the regions' group</source>
        <translation>Champ avec le groupe des régions</translation>
    </message>
    <message>
        <source>Group of all regions</source>
        <translation>Groupe de toutes les régions</translation>
    </message>
    <message>
        <source>Shares of the categories, JSON</source>
        <translation>Parts des catégories, JSON</translation>
    </message>
    <message>
        <source>Shares of the categories, table</source>
        <translation>Parts des catégories, table</translation>
    </message>
    <message>
        <source>Quasi-identifiers to make</source>
        <translation>Quasi-identifiants à créer</translation>
    </message>
    <message>
        <source>Fewest residents of a region</source>
        <translation>Plus petit nombre d’habitants d’une région</translation>
    </message>
    <message>
        <source>Most residents of a region</source>
        <translation>Plus grand nombre d’habitants d’une région</translation>
    </message>
    <message>
        <source>Field with the residents of each region</source>
        <translation>Champ avec les habitants de chaque région</translation>
    </message>
    <message>
        <source>Voronoi-based aggregation</source>
        <translation>Agrégation de Voronoï (VBAS)</translation>
    </message>
    <message>
        <source>Number of sites by</source>
        <translation>Nombre de sites selon</translation>
    </message>
    <message>
        <source>Location of the sites</source>
        <translation>Emplacement des sites</translation>
    </message>
    <message>
        <source>Further attributes to release (none chosen: none)</source>
        <translation>Autres attributs à publier (aucun choisi : aucun)</translation>
    </message>
    <message>
        <source>Compare aggregations</source>
        <translation>Comparer des agrégations</translation>
    </message>
    <message>
        <source>Combinations</source>
        <translation>Combinaisons</translation>
    </message>
    <message>
        <source>Smallest share of suppressed records</source>
        <translation>Plus petite part d’enregistrements supprimés</translation>
    </message>
    <message>
        <source>Numbers of sites by</source>
        <translation>Nombres de sites selon</translation>
    </message>
    <message>
        <source>Locations of the sites</source>
        <translation>Emplacements des sites</translation>
    </message>
    <message>
        <source>Verify a release</source>
        <translation>Vérifier une publication</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Fichiers</translation>
    </message>
    <message>
        <source>Figures of the report of this check</source>
        <translation>Chiffres du rapport de cette vérification</translation>
    </message>
    <message>
        <source>Files as they were judged</source>
        <translation>Fichiers tels qu’ils ont été jugés</translation>
    </message>
    <message>
        <source>Files that have changed</source>
        <translation>Fichiers qui ont changé</translation>
    </message>
    <message>
        <source>Files that are missing</source>
        <translation>Fichiers absents</translation>
    </message>
    <message>
        <source>Files that nobody has judged</source>
        <translation>Fichiers que personne n’a jugés</translation>
    </message>
    <message>
        <source>Private files</source>
        <translation>Fichiers confidentiels</translation>
    </message>
    <message>
        <source>Figures of the report (JSON)</source>
        <translation>Chiffres du rapport (JSON)</translation>
    </message>
    <message>
        <source>Folder to be given away</source>
        <translation>Dossier à donner</translation>
    </message>
    <message>
        <source>Voronoi masking</source>
        <translation>Masquage de Voronoï</translation>
    </message>
    <message>
        <source>Voronoi cells</source>
        <translation>Cellules de Voronoï</translation>
    </message>
    <message>
        <source>Singletons</source>
        <translation>Singletons</translation>
    </message>
    <message>
        <source>Paired points</source>
        <translation>Points appariés</translation>
    </message>
    <message>
        <source>Points that did not move</source>
        <translation>Points qui n’ont pas bougé</translation>
    </message>
    <message>
        <source>a layer in memory: no bytes to hash until it is saved</source>
        <translation>une couche en mémoire : pas d’octets à hacher avant qu’elle soit enregistrée</translation>
    </message>
    <message>
        <source>a table in a database: no bytes of its own to hash</source>
        <translation>une table dans une base de données : pas d’octets propres à hacher</translation>
    </message>
    <message>
        <source>not taken</source>
        <translation>non calculé</translation>
    </message>
    <message>
        <source>{title} ({algorithm}), begun {begun}, this report written {written}.</source>
        <translation>{title} ({algorithm}), commencé le {begun}, rapport écrit le {written}.</translation>
    </message>
    <message>
        <source>Made with {programs}.</source>
        <translation>Fait avec {programs}.</translation>
    </message>
    <message>
        <source>Decided by people, not by this program</source>
        <translation>Décidé par des personnes, non par ce programme</translation>
    </message>
    <message>
        <source>Released or withheld</source>
        <translation>Publié ou retenu</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Pourquoi</translation>
    </message>
    <message>
        <source>Given to, and for what</source>
        <translation>Donné à qui, et pour quoi</translation>
    </message>
    <message>
        <source>Name and office</source>
        <translation>Nom et service</translation>
    </message>
    <message>
        <source>Date and signature</source>
        <translation>Date et signature</translation>
    </message>
    <message>
        <source>Audit</source>
        <translation>Audit</translation>
    </message>
    <message>
        <source>Parameter</source>
        <translation>Paramètre</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>Signification</translation>
    </message>
    <message>
        <source>Value as it was used</source>
        <translation>Valeur telle qu’elle a servi</translation>
    </message>
    <message>
        <source>Given</source>
        <translation>Donné</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>oui</translation>
    </message>
    <message>
        <source>default</source>
        <translation>par défaut</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Paramètres</translation>
    </message>
    <message>
        <source>given, and not told here: it is secret</source>
        <translation>donné, et non dit ici : c’est secret</translation>
    </message>
    <message>
        <source>none: random numbers came from the operating system</source>
        <translation>aucune : les nombres aléatoires viennent du système d’exploitation</translation>
    </message>
    <message>
        <source>not told here</source>
        <translation>non dit ici</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>vide</translation>
    </message>
    <message>
        <source>no</source>
        <translation>non</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Entrées</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Entrée</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Couche</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Depuis</translation>
    </message>
    <message>
        <source>Filter, selection</source>
        <translation>Filtre, sélection</translation>
    </message>
    <message>
        <source>Fingerprints of the inputs</source>
        <translation>Empreintes des entrées</translation>
    </message>
    <message>
        <source>the geometries that were read, in their order</source>
        <translation>les géométries lues, dans leur ordre</translation>
    </message>
    <message>
        <source>what was read, in its order: geometries and {fields}</source>
        <translation>ce qui a été lu, dans son ordre : géométries et {fields}</translation>
    </message>
    <message>
        <source>{place}, layer {layer}</source>
        <translation>{place}, couche {layer}</translation>
    </message>
    <message>
        <source>selected features only</source>
        <translation>entités sélectionnées seulement</translation>
    </message>
    <message>
        <source>the first {count:,} at most</source>
        <translation>les {count:,} premiers au plus</translation>
    </message>
    <message>
        <source>with changes that were not saved</source>
        <translation>avec des modifications non enregistrées</translation>
    </message>
    <message>
        <source>none</source>
        <translation>aucun</translation>
    </message>
    <message>
        <source>written last</source>
        <translation>écrit en dernier</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>Sorties</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Quoi</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Fichier</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Octets</translation>
    </message>
    <message>
        <source>SHA-256</source>
        <translation>SHA-256</translation>
    </message>
    <message>
        <source>no Python bindings</source>
        <translation>pas de liaisons Python</translation>
    </message>
    <message>
        <source>System</source>
        <translation>Système</translation>
    </message>
    <message>
        <source>Mask points</source>
        <translation>Masquer des points</translation>
    </message>
    <message>
        <source>Aggregate areas</source>
        <translation>Agréger des zones</translation>
    </message>
    <message>
        <source>Release distances</source>
        <translation>Publier des distances</translation>
    </message>
    <message>
        <source>Attack a release</source>
        <translation>Attaquer une publication</translation>
    </message>
    <message>
        <source>Microdata</source>
        <translation>Microdonnées</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Outils</translation>
    </message>
    <message>
        <source>the plugin's issue tracker</source>
        <translation>le suivi des tickets de l’extension</translation>
    </message>
    <message>
        <source>When to use it</source>
        <translation>Quand l’utiliser</translation>
    </message>
    <message>
        <source>What comes out</source>
        <translation>Ce qui en sort</translation>
    </message>
    <message>
        <source>Mind</source>
        <translation>Attention</translation>
    </message>
    <message>
        <source>In words: {words}.</source>
        <translation>En toutes lettres : {words}.</translation>
    </message>
    <message>
        <source>Release: {description}</source>
        <translation>Publication : {description}</translation>
    </message>
    <message>
        <source>Private: {description}</source>
        <translation>Confidentiel : {description}</translation>
    </message>
    <message>
        <source>Figures of the report</source>
        <translation>Chiffres du rapport</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Rapport</translation>
    </message>
    <message>
        <source>Seed of the random numbers</source>
        <translation>Graine des nombres aléatoires</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>Métrique</translation>
    </message>
    <message>
        <source>Unit of the matrix</source>
        <translation>Unité de la matrice</translation>
    </message>
    <message>
        <source>Used only where {conditions}.</source>
        <translation>Utilisé seulement si {conditions}.</translation>
    </message>
    <message>
        <source>“{parameter}” ({name}) is left empty</source>
        <translation>« {parameter} » ({name}) est laissé vide</translation>
    </message>
    <message>
        <source>“{parameter}” ({name}) is given</source>
        <translation>« {parameter} » ({name}) est donné</translation>
    </message>
    <message>
        <source>“{parameter}” ({name}) is checked</source>
        <translation>« {parameter} » ({name}) est coché</translation>
    </message>
    <message>
        <source>“{parameter}” ({name}) is not checked</source>
        <translation>« {parameter} » ({name}) n’est pas coché</translation>
    </message>
    <message>
        <source>“{parameter}” ({name}) is {options}</source>
        <translation>« {parameter} » ({name}) est {options}</translation>
    </message>
    <message>
        <source>“{parameter}” ({name}) is other than {options}</source>
        <translation>« {parameter} » ({name}) est autre que {options}</translation>
    </message>
    <message>
        <source>“{parameter}” ({name}) was given, and is not used.</source>
        <translation>« {parameter} » ({name}) a été donné, et n’est pas utilisé.</translation>
    </message>
    <message>
        <source>All attacks together</source>
        <translation>Toutes les attaques ensemble</translation>
    </message>
    <message>
        <source>All attacks, side by side</source>
        <translation>Toutes les attaques, côte à côte</translation>
    </message>
    <message>
        <source>People who live near each other</source>
        <translation>Des personnes qui habitent près l’une de l’autre</translation>
    </message>
    <message>
        <source>Likelihood, by a map of the records</source>
        <translation>Vraisemblance, par une carte des enregistrements</translation>
    </message>
    <message>
        <source>Each record's distances to all others</source>
        <translation>Les distances de chaque enregistrement à tous les autres</translation>
    </message>
    <message>
        <source>Maps of neighbourhoods (ISGP)</source>
        <translation>Cartes de voisinages (ISGP)</translation>
    </message>
    <message>
        <source>Largest set whose distances agree (clique)</source>
        <translation>Plus grand ensemble dont les distances concordent (clique)</translation>
    </message>
    <message>
        <source>Embedding by reference sets (Lipschitz)</source>
        <translation>Plongement par ensembles de référence (Lipschitz)</translation>
    </message>
    <message>
        <source>Noise on coordinates</source>
        <translation>Bruit sur les coordonnées</translation>
    </message>
    <message>
        <source>Noise on distances</source>
        <translation>Bruit sur les distances</translation>
    </message>
    <message>
        <source>Grid points in common (ISGP)</source>
        <translation>Points de grille communs (ISGP)</translation>
    </message>
    <message>
        <source>A tolerance of my own</source>
        <translation>Une tolérance à moi</translation>
    </message>
    <message>
        <source>About as many records each (balanced density)</source>
        <translation>À peu près autant d’enregistrements chacune (balanced density)</translation>
    </message>
    <message>
        <source>Moved by the search of the paper (ADC)</source>
        <translation>Déplacés par la recherche de l’article (ADC)</translation>
    </message>
    <message>
        <source>Moved to suppress fewest records</source>
        <translation>Déplacés pour supprimer le moins d’enregistrements</translation>
    </message>
    <message>
        <source>At random</source>
        <translation>Au hasard</translation>
    </message>
    <message>
        <source>Max-p regions, to compare</source>
        <translation>Régions max-p, pour comparer</translation>
    </message>
    <message>
        <source>In the middle of the people (k-means)</source>
        <translation>Au milieu des personnes (k-means)</translation>
    </message>
    <message>
        <source>Neighbours joined, most compact (Ward)</source>
        <translation>Voisins réunis, le plus compact (Ward)</translation>
    </message>
    <message>
        <source>Neighbours joined, most records saved</source>
        <translation>Voisins réunis, le plus d’enregistrements sauvés</translation>
    </message>
    <message>
        <source>The best of several</source>
        <translation>Le meilleur de plusieurs</translation>
    </message>
    <message>
        <source>Every record</source>
        <translation>Chaque enregistrement</translation>
    </message>
    <message>
        <source>99 records of 100</source>
        <translation>99 enregistrements sur 100</translation>
    </message>
    <message>
        <source>The mean of the people</source>
        <translation>La moyenne des personnes</translation>
    </message>
    <message>
        <source>Both: the worse of the two decides</source>
        <translation>Les deux : le pire des deux décide</translation>
    </message>
    <message>
        <source>Who lives there?</source>
        <translation>Qui habite là ?</translation>
    </message>
    <message>
        <source>Which record is hers?</source>
        <translation>Quel enregistrement est le sien ?</translation>
    </message>
    <message>
        <source>A probability for each category</source>
        <translation>Une probabilité pour chaque catégorie</translation>
    </message>
    <message>
        <source>The likeliest category</source>
        <translation>La catégorie la plus probable</translation>
    </message>
    <message>
        <source>One drawn at random, by the probabilities</source>
        <translation>Une catégorie tirée au hasard, selon les probabilités</translation>
    </message>
    <message>
        <source>Not needed</source>
        <translation>Pas nécessaire</translation>
    </message>
    <message>
        <source>Needed; islands stand alone</source>
        <translation>Nécessaire ; les îles restent seules</translation>
    </message>
    <message>
        <source>Needed; islands are joined to the nearest</source>
        <translation>Nécessaire ; les îles sont jointes au plus proche</translation>
    </message>
    <message>
        <source>as they are</source>
        <translation>telles quelles</translation>
    </message>
    <message>
        <source>by month</source>
        <translation>par mois</translation>
    </message>
    <message>
        <source>by quarter</source>
        <translation>par trimestre</translation>
    </message>
    <message>
        <source>by year</source>
        <translation>par année</translation>
    </message>
    <message>
        <source>With the distributions of the originals</source>
        <translation>Avec les distributions des originaux</translation>
    </message>
    <message>
        <source>As in the paper</source>
        <translation>Comme dans l’article</translation>
    </message>
    <message>
        <source>With their distributions hardly smoothed</source>
        <translation>Avec leurs distributions à peine lissées</translation>
    </message>
    <message>
        <source>Laplace</source>
        <translation>Laplace</translation>
    </message>
    <message>
        <source>As they come</source>
        <translation>Comme elles viennent</translation>
    </message>
    <message>
        <source>Each within one earlier area</source>
        <translation>Chacune dans une zone antérieure</translation>
    </message>
    <message>
        <source>Each of whole earlier areas</source>
        <translation>Chacune de zones antérieures entières</translation>
    </message>
    <message>
        <source>The earlier areas again</source>
        <translation>De nouveau les zones antérieures</translation>
    </message>
    <message>
        <source>Area: every place is as likely</source>
        <translation>Surface : chaque lieu est aussi probable</translation>
    </message>
    <message>
        <source>Distance: every distance is as likely</source>
        <translation>Distance : chaque distance est aussi probable</translation>
    </message>
    <message>
        <source>West of Canada</source>
        <translation>Ouest du Canada</translation>
    </message>
    <message>
        <source>Centre of Canada</source>
        <translation>Centre du Canada</translation>
    </message>
    <message>
        <source>East of Canada</source>
        <translation>Est du Canada</translation>
    </message>
    <message>
        <source>My own, with A and B</source>
        <translation>Un modèle à moi, avec A et B</translation>
    </message>
    <message>
        <source>Widen the ring</source>
        <translation>Élargir l’anneau</translation>
    </message>
    <message>
        <source>Withhold the record</source>
        <translation>Retenir l’enregistrement</translation>
    </message>
    <message>
        <source>Disc: anywhere within a distance</source>
        <translation>Disque : n’importe où jusqu’à une distance</translation>
    </message>
    <message>
        <source>Donut: between two distances</source>
        <translation>Anneau : entre deux distances</translation>
    </message>
    <message>
        <source>Gaussian: mostly near, seldom far</source>
        <translation>Gaussienne : le plus souvent près, rarement loin</translation>
    </message>
    <message>
        <source>Bimodal: mostly about one distance</source>
        <translation>Bimodale : le plus souvent vers une distance</translation>
    </message>
    <message>
        <source>Planar Laplace noise (geo-indistinguishability)</source>
        <translation>Bruit de Laplace plan (géo-indiscernabilité)</translation>
    </message>
    <message>
        <source>By the same ids</source>
        <translation>Par les mêmes identifiants</translation>
    </message>
    <message>
        <source>By distances and attributes, not by ids</source>
        <translation>Par distances et attributs, sans identifiants</translation>
    </message>
    <message>
        <source>Squares</source>
        <translation>Carrés</translation>
    </message>
    <message>
        <source>Hexagons</source>
        <translation>Hexagones</translation>
    </message>
    <message>
        <source>Zones of a layer</source>
        <translation>Zones d’une couche</translation>
    </message>
    <message>
        <source>Zones, merged until each holds enough</source>
        <translation>Zones, réunies jusqu’à ce que chacune en contienne assez</translation>
    </message>
    <message>
        <source>Areas round sites among addresses</source>
        <translation>Zones autour de sites parmi les adresses</translation>
    </message>
    <message>
        <source>Exchange with partners</source>
        <translation>Échange avec des partenaires</translation>
    </message>
    <message>
        <source>Cells of addresses</source>
        <translation>Cellules d’adresses</translation>
    </message>
    <message>
        <source>Groups of records</source>
        <translation>Groupes d’enregistrements</translation>
    </message>
    <message>
        <source>Labels of each record</source>
        <translation>Étiquettes de chaque enregistrement</translation>
    </message>
    <message>
        <source>Near distances only</source>
        <translation>Distances proches seulement</translation>
    </message>
    <message>
        <source>Spectral swapping</source>
        <translation>Permutation spectrale</translation>
    </message>
    <message>
        <source>Spectral averages of groups (RHS)</source>
        <translation>Moyennes spectrales de groupes (RHS)</translation>
    </message>
    <message>
        <source>Swapping of values</source>
        <translation>Permutation de valeurs</translation>
    </message>
    <message>
        <source>Averages of groups (RHS)</source>
        <translation>Moyennes de groupes (RHS)</translation>
    </message>
    <message>
        <source>Data shuffling</source>
        <translation>Data shuffling</translation>
    </message>
    <message>
        <source>Noise on values</source>
        <translation>Bruit sur les valeurs</translation>
    </message>
    <message>
        <source>Microaggregation (MDAV)</source>
        <translation>Microagrégation (MDAV)</translation>
    </message>
    <message>
        <source>Gaussian copula</source>
        <translation>Copule gaussienne</translation>
    </message>
    <message>
        <source>On the ellipsoid (geodesic)</source>
        <translation>Sur l’ellipsoïde (géodésique)</translation>
    </message>
    <message>
        <source>On a sphere (great circle)</source>
        <translation>Sur une sphère (grand cercle)</translation>
    </message>
    <message>
        <source>In the plane of the layer</source>
        <translation>Dans le plan de la couche</translation>
    </message>
    <message>
        <source>Kept: that a value is missing is a value</source>
        <translation>Gardées : qu’une valeur manque est une valeur</translation>
    </message>
    <message>
        <source>Records with missing values are left out</source>
        <translation>Les enregistrements avec des valeurs manquantes sont omis</translation>
    </message>
    <message>
        <source>Gaussian, on the coordinates</source>
        <translation>Gaussien, sur les coordonnées</translation>
    </message>
    <message>
        <source>Gaussian, on each distance</source>
        <translation>Gaussien, sur chaque distance</translation>
    </message>
    <message>
        <source>Laplace, on each distance</source>
        <translation>Laplace, sur chaque distance</translation>
    </message>
    <message>
        <source>None: exact distances</source>
        <translation>Aucun : distances exactes</translation>
    </message>
    <message>
        <source>NULL is a category of its own</source>
        <translation>NULL est une catégorie à part</translation>
    </message>
    <message>
        <source>Stop where there is one</source>
        <translation>S’arrêter s’il y en a un</translation>
    </message>
    <message>
        <source>Fewest suppressed records</source>
        <translation>Le moins d’enregistrements supprimés</translation>
    </message>
    <message>
        <source>Most compact areas</source>
        <translation>Zones les plus compactes</translation>
    </message>
    <message>
        <source>Least entropy loss</source>
        <translation>La moindre perte d’entropie</translation>
    </message>
    <message>
        <source>All three alike</source>
        <translation>Les trois à égalité</translation>
    </message>
    <message>
        <source>An address</source>
        <translation>Une adresse</translation>
    </message>
    <message>
        <source>A random place beside an address</source>
        <translation>Un lieu au hasard près d’une adresse</translation>
    </message>
    <message>
        <source>The nearest street crossing</source>
        <translation>Le carrefour le plus proche</translation>
    </message>
    <message>
        <source>The centre</source>
        <translation>Le centre</translation>
    </message>
    <message>
        <source>A random place</source>
        <translation>Un lieu au hasard</translation>
    </message>
    <message>
        <source>Distances</source>
        <translation>Distances</translation>
    </message>
    <message>
        <source>nearest neighbours</source>
        <translation>plus proches voisins</translation>
    </message>
    <message>
        <source>All combinations alike</source>
        <translation>Toutes les combinaisons également</translation>
    </message>
    <message>
        <source>The better half again, and so on</source>
        <translation>La meilleure moitié de nouveau, et ainsi de suite</translation>
    </message>
    <message>
        <source>Metres</source>
        <translation>Mètres</translation>
    </message>
    <message>
        <source>Degrees</source>
        <translation>Degrés</translation>
    </message>
    <message>
        <source>GAPS model, by possible combinations</source>
        <translation>Modèle GAPS, par combinaisons possibles</translation>
    </message>
    <message>
        <source>GAPS model, by entropy</source>
        <translation>Modèle GAPS, par entropie</translation>
    </message>
    <message>
        <source>A number of my own</source>
        <translation>Un nombre à moi</translation>
    </message>
    <message>
        <source>A distance, the same for all</source>
        <translation>Une distance, la même pour tous</translation>
    </message>
    <message>
        <source>Number of addresses nearby</source>
        <translation>Nombre d’adresses aux environs</translation>
    </message>
    <message>
        <source>Number of people nearby, by areas</source>
        <translation>Nombre de personnes aux environs, par zones</translation>
    </message>
    <message>
        <source>Number of people nearby, by a raster</source>
        <translation>Nombre de personnes aux environs, par un raster</translation>
    </message>
    <message>
        <source>Kilometres</source>
        <translation>Kilomètres</translation>
    </message>
    <message>
        <source>Addresses</source>
        <translation>Adresses</translation>
    </message>
    <message>
        <source>Dwellings</source>
        <translation>Logements</translation>
    </message>
    <message>
        <source>Stop, and name them</source>
        <translation>S’arrêter, et les nommer</translation>
    </message>
    <message>
        <source>Leave them out</source>
        <translation>Les omettre</translation>
    </message>
    <message>
        <source>How far points move</source>
        <translation>De combien les points bougent</translation>
    </message>
    <message>
        <source>Pattern (Ripley's L)</source>
        <translation>Structure (L de Ripley)</translation>
    </message>
    <message>
        <source>Density (kernel)</source>
        <translation>Densité (noyau)</translation>
    </message>
    <message>
        <source>Clusters (scan statistic)</source>
        <translation>Agrégats (statistique de balayage)</translation>
    </message>
    <message>
        <source>Distances of two records</source>
        <translation>Distances de deux enregistrements</translation>
    </message>
    <message>
        <source>Distances to the nearest record</source>
        <translation>Distances à l’enregistrement le plus proche</translation>
    </message>
    <message>
        <source>Published</source>
        <translation>Publiée</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>Omis</translation>
    </message>
    <message>
        <source>Address list</source>
        <translation>Liste d’adresses</translation>
    </message>
    <message>
        <source>Dwellings or people at an address</source>
        <translation>Logements ou personnes à une adresse</translation>
    </message>
    <message>
        <source>Limit of an adversary's probability</source>
        <translation>Limite de la probabilité d’un adversaire</translation>
    </message>
    <message>
        <source>The limit is on</source>
        <translation>La limite porte sur</translation>
    </message>
    <message>
        <source>Adversary</source>
        <translation>Adversaire</translation>
    </message>
    <message>
        <source>Belief about addresses beforehand, times that of the list</source>
        <translation>Croyance préalable sur les adresses, multiple de celle de la liste</translation>
    </message>
    <message>
        <source>Releases of the same people</source>
        <translation>Publications des mêmes personnes</translation>
    </message>
    <message>
        <source>Each release draws anew</source>
        <translation>Chaque publication tire de nouveau</translation>
    </message>
    <message>
        <source>Attributes that an adversary knows</source>
        <translation>Attributs qu’un adversaire connaît</translation>
    </message>
    <message>
        <source>What has to be kept</source>
        <translation>Ce qui doit être conservé</translation>
    </message>
    <message>
        <source>Masks to try</source>
        <translation>Masquages à essayer</translation>
    </message>
    <message>
        <source>Streets at hand</source>
        <translation>Rues disponibles</translation>
    </message>
    <message>
        <source>Zones at hand</source>
        <translation>Zones disponibles</translation>
    </message>
    <message>
        <source>A record may miss its address by (metres)</source>
        <translation>Un enregistrement peut manquer son adresse de (mètres)</translation>
    </message>
    <message>
        <source>Masks tried</source>
        <translation>Masquages essayés</translation>
    </message>
    <message>
        <source>Units of the hierarchy</source>
        <translation>Unités de la hiérarchie</translation>
    </message>
    <message>
        <source>Areas</source>
        <translation>Zones</translation>
    </message>
    <message>
        <source>Areas that release nothing</source>
        <translation>Zones qui ne publient rien</translation>
    </message>
    <message>
        <source>Fewest records of an area</source>
        <translation>Plus petit nombre d’enregistrements d’une zone</translation>
    </message>
    <message>
        <source>Areas in several pieces</source>
        <translation>Zones en plusieurs morceaux</translation>
    </message>
    <message>
        <source>Records as a Parquet file, or as a folder of them</source>
        <translation>Enregistrements en fichier Parquet, ou en dossier de tels fichiers</translation>
    </message>
    <message>
        <source>Records' field with the region's id</source>
        <translation>Champ des enregistrements avec l’identifiant de la région</translation>
    </message>
    <message>
        <source>Declared categories</source>
        <translation>Catégories déclarées</translation>
    </message>
    <message>
        <source>Groups of numbers</source>
        <translation>Groupes de nombres</translation>
    </message>
    <message>
        <source>NULL in quasi-identifiers</source>
        <translation>NULL dans les quasi-identifiants</translation>
    </message>
    <message>
        <source>Field with the person's id, where people have several records</source>
        <translation>Champ avec l’identifiant de la personne, si elle a plusieurs enregistrements</translation>
    </message>
    <message>
        <source>Records of unknown regions</source>
        <translation>Enregistrements de régions inconnues</translation>
    </message>
    <message>
        <source>GAPS model</source>
        <translation>Modèle GAPS</translation>
    </message>
    <message>
        <source>A of a custom GAPS model</source>
        <translation>A d’un modèle GAPS propre</translation>
    </message>
    <message>
        <source>B of a custom GAPS model</source>
        <translation>B d’un modèle GAPS propre</translation>
    </message>
    <message>
        <source>Number of sites</source>
        <translation>Nombre de sites</translation>
    </message>
    <message>
        <source>Study area</source>
        <translation>Zone d’étude</translation>
    </message>
    <message>
        <source>Fields with numbers of people, where a row stands for several</source>
        <translation>Champs avec le nombre de personnes, où une ligne en représente plusieurs</translation>
    </message>
    <message>
        <source>Regression that analysts would run</source>
        <translation>Régression que feraient des analystes</translation>
    </message>
    <message>
        <source>Zones</source>
        <translation>Zones de contrainte</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>Méthode</translation>
    </message>
    <message>
        <source>Fewest records in a group (k)</source>
        <translation>Plus petit nombre d’enregistrements d’un groupe (k)</translation>
    </message>
    <message>
        <source>Share of noise (b)</source>
        <translation>Part de bruit (b)</translation>
    </message>
    <message>
        <source>Categories are released as</source>
        <translation>Les catégories sont publiées comme</translation>
    </message>
    <message>
        <source>Values are decoded</source>
        <translation>Les valeurs sont décodées</translation>
    </message>
    <message>
        <source>Aggregated areas</source>
        <translation>Zones agrégées</translation>
    </message>
    <message>
        <source>Sites</source>
        <translation>Sites</translation>
    </message>
    <message>
        <source>Regions and their areas</source>
        <translation>Régions et leurs zones</translation>
    </message>
    <message>
        <source>Suppressed records</source>
        <translation>Enregistrements supprimés</translation>
    </message>
    <message>
        <source>Share of suppressed records</source>
        <translation>Part des enregistrements supprimés</translation>
    </message>
    <message>
        <source>Smallest class released</source>
        <translation>Plus petite classe publiée</translation>
    </message>
    <message>
        <source>Compactness</source>
        <translation>Compacité</translation>
    </message>
    <message>
        <source>Discernibility</source>
        <translation>Discernabilité</translation>
    </message>
    <message>
        <source>Entropy loss</source>
        <translation>Perte d’entropie</translation>
    </message>
    <message>
        <source>Classes below K by subtraction</source>
        <translation>Classes sous K par soustraction</translation>
    </message>
    <message>
        <source>Largest size of an area (km²)</source>
        <translation>Plus grande surface d’une zone (km²)</translation>
    </message>
    <message>
        <source>another tool</source>
        <translation>un autre outil</translation>
    </message>
    <message>
        <source>Mask file</source>
        <translation>Fichier de masquage</translation>
    </message>
    <message>
        <source>Key, to score the attack and to try the second adversary</source>
        <translation>Clé, pour noter l’attaque et essayer le second adversaire</translation>
    </message>
    <message>
        <source>People who are known to be in the file</source>
        <translation>Personnes dont on sait qu’elles sont dans le fichier</translation>
    </message>
    <message>
        <source>Attributes that he knows (of the masked points)</source>
        <translation>Attributs qu’il connaît (des points masqués)</translation>
    </message>
    <message>
        <source>The same attributes in the address list</source>
        <translation>Les mêmes attributs dans la liste d’adresses</translation>
    </message>
    <message>
        <source>Attributes may differ by</source>
        <translation>Les attributs peuvent différer de</translation>
    </message>
    <message>
        <source>Population</source>
        <translation>Population</translation>
    </message>
    <message>
        <source>Field with the number of people</source>
        <translation>Champ avec le nombre de personnes</translation>
    </message>
    <message>
        <source>Population raster</source>
        <translation>Raster de population</translation>
    </message>
    <message>
        <source>Areas to avoid</source>
        <translation>Zones à éviter</translation>
    </message>
    <message>
        <source>Towns</source>
        <translation>Villes</translation>
    </message>
    <message>
        <source>Streets</source>
        <translation>Rues</translation>
    </message>
    <message>
        <source>Crossings</source>
        <translation>Carrefours</translation>
    </message>
    <message>
        <source>Secret file, to play who knows the groups</source>
        <translation>Fichier secret, pour jouer celui qui connaît les groupes</translation>
    </message>
    <message>
        <source>Records whose addresses are shown</source>
        <translation>Enregistrements dont les adresses sont montrées</translation>
    </message>
    <message>
        <source>Records whose addresses are shown, by their ids</source>
        <translation>Enregistrements dont les adresses sont montrées, par leurs identifiants</translation>
    </message>
    <message>
        <source>Further releases of the same people</source>
        <translation>Autres publications des mêmes personnes</translation>
    </message>
    <message>
        <source>Mask files of the further releases</source>
        <translation>Fichiers de masquage des autres publications</translation>
    </message>
    <message>
        <source>Field that links the releases</source>
        <translation>Champ qui relie les publications</translation>
    </message>
    <message>
        <source>Keys of the further releases</source>
        <translation>Clés des autres publications</translation>
    </message>
    <message>
        <source>Coordinates were rounded to (units of the layer)</source>
        <translation>Les coordonnées ont été arrondies à (unités de la couche)</translation>
    </message>
    <message>
        <source>All points together</source>
        <translation>Tous les points ensemble</translation>
    </message>
    <message>
        <source>Public points before another tool's mask</source>
        <translation>Points publics avant le masquage d’un autre outil</translation>
    </message>
    <message>
        <source>The same points after it</source>
        <translation>Les mêmes points après</translation>
    </message>
    <message>
        <source>Field that names the points of {name}</source>
        <translation>Champ qui nomme les points de {name}</translation>
    </message>
    <message>
        <source>Mask file of the points</source>
        <translation>Fichier de masquage des points</translation>
    </message>
    <message>
        <source>Address list of the mask</source>
        <translation>Liste d’adresses du masquage</translation>
    </message>
    <message>
        <source>Original points, in place of a key</source>
        <translation>Points d’origine, au lieu d’une clé</translation>
    </message>
    <message>
        <source>Field with the ids of the originals</source>
        <translation>Champ avec les identifiants des originaux</translation>
    </message>
    <message>
        <source>Field with the same ids in the release</source>
        <translation>Champ avec les mêmes identifiants dans la publication</translation>
    </message>
    <message>
        <source>Guesses</source>
        <translation>Suppositions</translation>
    </message>
    <message>
        <source>Addresses that explain the riskiest records</source>
        <translation>Adresses qui expliquent les enregistrements les plus exposés</translation>
    </message>
    <message>
        <source>Likeliest record of each person</source>
        <translation>Enregistrement le plus probable de chaque personne</translation>
    </message>
    <message>
        <source>People found by their place</source>
        <translation>Personnes trouvées par leur lieu</translation>
    </message>
    <message>
        <source>Share found by place, lower end</source>
        <translation>Part trouvée par le lieu, borne inférieure</translation>
    </message>
    <message>
        <source>Share found by place, upper end</source>
        <translation>Part trouvée par le lieu, borne supérieure</translation>
    </message>
    <message>
        <source>Share found by the nearest address</source>
        <translation>Part trouvée par l’adresse la plus proche</translation>
    </message>
    <message>
        <source>Share found by a random address</source>
        <translation>Part trouvée par une adresse au hasard</translation>
    </message>
    <message>
        <source>Share of guesses that are right of another record</source>
        <translation>Part des suppositions justes pour un autre enregistrement</translation>
    </message>
    <message>
        <source>Share of records above the limit</source>
        <translation>Part des enregistrements au-dessus de la limite</translation>
    </message>
    <message>
        <source>Mean of his largest probability of a place</source>
        <translation>Moyenne de sa plus grande probabilité d’un lieu</translation>
    </message>
    <message>
        <source>Largest probability of a place</source>
        <translation>Plus grande probabilité d’un lieu</translation>
    </message>
    <message>
        <source>Median effective number of addresses</source>
        <translation>Nombre effectif médian d’adresses</translation>
    </message>
    <message>
        <source>People whose record is found</source>
        <translation>Personnes dont l’enregistrement est trouvé</translation>
    </message>
    <message>
        <source>Share of records found, lower end</source>
        <translation>Part d’enregistrements trouvés, borne inférieure</translation>
    </message>
    <message>
        <source>Share of records found, upper end</source>
        <translation>Part d’enregistrements trouvés, borne supérieure</translation>
    </message>
    <message>
        <source>Share of people above the limit</source>
        <translation>Part des personnes au-dessus de la limite</translation>
    </message>
    <message>
        <source>Median effective number of records</source>
        <translation>Nombre effectif médian d’enregistrements</translation>
    </message>
    <message>
        <source>People of MEMBERS who are not in the file</source>
        <translation>Personnes de MEMBERS qui ne sont pas dans le fichier</translation>
    </message>
    <message>
        <source>Mean of his largest probability of a record</source>
        <translation>Moyenne de sa plus grande probabilité d’un enregistrement</translation>
    </message>
    <message>
        <source>Largest probability of a record</source>
        <translation>Plus grande probabilité d’un enregistrement</translation>
    </message>
    <message>
        <source>Belief beforehand up to which the limit is kept</source>
        <translation>Croyance préalable jusqu’à laquelle la limite est respectée</translation>
    </message>
    <message>
        <source>Points that no address of the list explains</source>
        <translation>Points qu’aucune adresse de la liste n’explique</translation>
    </message>
    <message>
        <source>Second places of the people of the list</source>
        <translation>Seconds lieux des personnes de la liste</translation>
    </message>
    <message>
        <source>Field of the second places that names the person</source>
        <translation>Champ des seconds lieux qui nomme la personne</translation>
    </message>
    <message>
        <source>Field of the address list that names the person</source>
        <translation>Champ de la liste d’adresses qui nomme la personne</translation>
    </message>
    <message>
        <source>Law of the displacement</source>
        <translation>Loi du déplacement</translation>
    </message>
    <message>
        <source>Least distance (metres)</source>
        <translation>Plus petite distance (mètres)</translation>
    </message>
    <message>
        <source>Largest distance, or size (metres)</source>
        <translation>Plus grande distance, ou taille (mètres)</translation>
    </message>
    <message>
        <source>Epsilon of Laplace noise (per metre)</source>
        <translation>Epsilon du bruit de Laplace (par mètre)</translation>
    </message>
    <message>
        <source>Least number (k)</source>
        <translation>Plus petit nombre (k)</translation>
    </message>
    <message>
        <source>Largest number (k)</source>
        <translation>Plus grand nombre (k)</translation>
    </message>
    <message>
        <source>Even by</source>
        <translation>Uniforme selon</translation>
    </message>
    <message>
        <source>Homes that the list lacks (%)</source>
        <translation>Logements absents de la liste (%)</translation>
    </message>
    <message>
        <source>Key of the masked points</source>
        <translation>Clé des points masqués</translation>
    </message>
    <message>
        <source>Fields that stay as they are</source>
        <translation>Champs qui restent tels quels</translation>
    </message>
    <message>
        <source>Private: file to go on from</source>
        <translation>Confidentiel : fichier pour reprendre</translation>
    </message>
    <message>
        <source>Released people whom the adversary knows (per cent)</source>
        <translation>Personnes publiées que l’adversaire connaît (pour cent)</translation>
    </message>
    <message>
        <source>Neighbours among those whom the adversary knows</source>
        <translation>Voisins parmi ceux que l’adversaire connaît</translation>
    </message>
    <message>
        <source>People whom the adversary knows in all</source>
        <translation>Personnes que l’adversaire connaît en tout</translation>
    </message>
    <message>
        <source>Releases of the same people that the adversary holds</source>
        <translation>Publications des mêmes personnes que détient l'adversaire</translation>
    </message>
    <message>
        <source>Noise before the embedding to try (metres)</source>
        <translation>Bruit avant le plongement à essayer (mètres)</translation>
    </message>
    <message>
        <source>Steps of the released distances to try (metres)</source>
        <translation>Pas des distances publiées à essayer (mètres)</translation>
    </message>
    <message>
        <source>Radii of ISGP to try (metres)</source>
        <translation>Rayons d’ISGP à essayer (mètres)</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Recherche</translation>
    </message>
    <message>
        <source>Highest precision of the attack</source>
        <translation>Plus haute précision de l’attaque</translation>
    </message>
    <message>
        <source>Lowest share of nearest neighbours kept</source>
        <translation>Plus petite part de plus proches voisins conservés</translation>
    </message>
    <message>
        <source>What is to be kept</source>
        <translation>Ce qui est à conserver</translation>
    </message>
    <message>
        <source>Most draws of people</source>
        <translation>Nombre maximal de tirages de personnes</translation>
    </message>
    <message>
        <source>Draws attacked by likelihood</source>
        <translation>Tirages attaqués par vraisemblance</translation>
    </message>
    <message>
        <source>Share of true pairs the adversary accepts</source>
        <translation>Part des vraies paires que l’adversaire accepte</translation>
    </message>
    <message>
        <source>Embeddings by the adversary</source>
        <translation>Plongements par l’adversaire</translation>
    </message>
    <message>
        <source>Records released in the attacks</source>
        <translation>Enregistrements publiés dans les attaques</translation>
    </message>
    <message>
        <source>Parameters tried</source>
        <translation>Paramètres essayés</translation>
    </message>
    <message>
        <source>Dask scheduler</source>
        <translation>Ordonnanceur Dask</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>Anonymised</source>
        <translation>Anonymisé</translation>
    </message>
    <message>
        <source>Fields (none chosen: all that both have, but ids)</source>
        <translation>Champs (aucun choisi : tous ceux communs aux deux, sauf les identifiants)</translation>
    </message>
    <message>
        <source>Field with the released ids</source>
        <translation>Champ avec les identifiants publiés</translation>
    </message>
    <message>
        <source>Field with the original ids</source>
        <translation>Champ avec les identifiants d’origine</translation>
    </message>
    <message>
        <source>From earlier areas to these, and back</source>
        <translation>Des zones antérieures à celles-ci, et retour</translation>
    </message>
    <message>
        <source>Tolerance of the search (%)</source>
        <translation>Tolérance de la recherche (%)</translation>
    </message>
    <message>
        <source>Fewest people of an area</source>
        <translation>Plus petit nombre de personnes d’une zone</translation>
    </message>
    <message>
        <source>Regions' field with the people</source>
        <translation>Champ des régions avec les personnes</translation>
    </message>
    <message>
        <source>Largest diameter of an area (metres)</source>
        <translation>Plus grand diamètre d’une zone (mètres)</translation>
    </message>
    <message>
        <source>Fields whose borders no area crosses</source>
        <translation>Champs dont aucune zone ne franchit les limites</translation>
    </message>
    <message>
        <source>Fields of a hierarchy</source>
        <translation>Champs d’une hiérarchie</translation>
    </message>
    <message>
        <source>Areas in one piece</source>
        <translation>Zones d’un seul tenant</translation>
    </message>
    <message>
        <source>Move single regions at the borders of areas</source>
        <translation>Déplacer des régions isolées aux limites des zones</translation>
    </message>
    <message>
        <source>Regions and their areas of an earlier release</source>
        <translation>Régions et leurs zones d’une publication antérieure</translation>
    </message>
    <message>
        <source>Its field with the region's id</source>
        <translation>Son champ avec l’identifiant de la région</translation>
    </message>
    <message>
        <source>Its field with the area, or one for each earlier release</source>
        <translation>Son champ avec la zone, ou un par publication antérieure</translation>
    </message>
    <message>
        <source>K of the earlier release</source>
        <translation>K de la publication antérieure</translation>
    </message>
    <message>
        <source>Join areas so that nothing can be subtracted</source>
        <translation>Réunir des zones pour que rien ne puisse être soustrait</translation>
    </message>
    <message>
        <source>How the areas lie to the earlier ones</source>
        <translation>Situation des zones par rapport aux antérieures</translation>
    </message>
    <message>
        <source>Attributes to exchange among neighbours</source>
        <translation>Attributs à échanger entre voisins</translation>
    </message>
    <message>
        <source>Least size of such a group</source>
        <translation>Plus petite taille d’un tel groupe</translation>
    </message>
    <message>
        <source>Attributes that such a group has in common</source>
        <translation>Attributs qu’un tel groupe a en commun</translation>
    </message>
    <message>
        <source>Rules between fields</source>
        <translation>Règles entre champs</translation>
    </message>
    <message>
        <source>Groups of values</source>
        <translation>Groupes de valeurs</translation>
    </message>
    <message>
        <source>Labels or distances</source>
        <translation>Étiquettes ou distances</translation>
    </message>
    <message>
        <source>Secret grid</source>
        <translation>Grille secrète</translation>
    </message>
    <message>
        <source>Release</source>
        <translation>Publication</translation>
    </message>
    <message>
        <source>Radius (metres)</source>
        <translation>Rayon (mètres)</translation>
    </message>
    <message>
        <source>Distance of the grid points (metres)</source>
        <translation>Distance des points de la grille (mètres)</translation>
    </message>
    <message>
        <source>Secret grid of an earlier release</source>
        <translation>Grille secrète d’une publication antérieure</translation>
    </message>
    <message>
        <source>Released records</source>
        <translation>Enregistrements de la publication</translation>
    </message>
    <message>
        <source>Known people</source>
        <translation>Personnes connues</translation>
    </message>
    <message>
        <source>Records in both</source>
        <translation>Enregistrements dans les deux</translation>
    </message>
    <message>
        <source>How he links several releases</source>
        <translation>Comment il relie plusieurs publications</translation>
    </message>
    <message>
        <source>Numbers of reference sets (d)</source>
        <translation>Nombres d’ensembles de référence (d)</translation>
    </message>
    <message>
        <source>Sizes of reference sets (k)</source>
        <translation>Tailles d’ensembles de référence (k)</translation>
    </message>
    <message>
        <source>Sizes of the noise</source>
        <translation>Tailles du bruit</translation>
    </message>
    <message>
        <source>Unit of the sizes</source>
        <translation>Unité des tailles</translation>
    </message>
    <message>
        <source>Distribution of the noise</source>
        <translation>Distribution du bruit</translation>
    </message>
    <message>
        <source>Radii of ISGP (metres)</source>
        <translation>Rayons d’ISGP (mètres)</translation>
    </message>
    <message>
        <source>Attack</source>
        <translation>Attaque</translation>
    </message>
    <message>
        <source>Shares of true pairs to accept (alpha)</source>
        <translation>Parts des vraies paires à accepter (alpha)</translation>
    </message>
    <message>
        <source>Most steps of a search</source>
        <translation>Nombre maximal d’étapes d’une recherche</translation>
    </message>
    <message>
        <source>Most work of a search (millions)</source>
        <translation>Travail maximal d’une recherche (millions)</translation>
    </message>
    <message>
        <source>Time limit of a search (seconds)</source>
        <translation>Limite de temps d’une recherche (secondes)</translation>
    </message>
    <message>
        <source>Least confidence</source>
        <translation>Plus petite certitude</translation>
    </message>
    <message>
        <source>Table of an earlier run</source>
        <translation>Table d’une exécution antérieure</translation>
    </message>
    <message>
        <source>Linked people</source>
        <translation>Personnes appariées</translation>
    </message>
    <message>
        <source>True place to linked place</source>
        <translation>Du vrai lieu au lieu apparié</translation>
    </message>
    <message>
        <source>Further releases of the same records</source>
        <translation>Autres publications des mêmes enregistrements</translation>
    </message>
    <message>
        <source>Released records of the further releases</source>
        <translation>Enregistrements publiés des autres publications</translation>
    </message>
    <message>
        <source>Quasi-identifiers of the records</source>
        <translation>Quasi-identifiants des enregistrements</translation>
    </message>
    <message>
        <source>Id of the records</source>
        <translation>Identifiant des enregistrements</translation>
    </message>
    <message>
        <source>Quasi-identifiers of the people</source>
        <translation>Quasi-identifiants des personnes</translation>
    </message>
    <message>
        <source>Id of the people</source>
        <translation>Identifiant des personnes</translation>
    </message>
    <message>
        <source>Known links</source>
        <translation>Liens connus</translation>
    </message>
    <message>
        <source>Id of the record in the known links</source>
        <translation>Identifiant de l’enregistrement dans les liens connus</translation>
    </message>
    <message>
        <source>Id of the person in the known links</source>
        <translation>Identifiant de la personne dans les liens connus</translation>
    </message>
    <message>
        <source>Released records that the adversary knows already</source>
        <translation>Enregistrements publiés que l’adversaire connaît déjà</translation>
    </message>
    <message>
        <source>When distances agree</source>
        <translation>Quand des distances concordent</translation>
    </message>
    <message>
        <source>Share of true pairs to accept (alpha)</source>
        <translation>Part des vraies paires à accepter (alpha)</translation>
    </message>
    <message>
        <source>Embeddings of the known people</source>
        <translation>Plongements des personnes connues</translation>
    </message>
    <message>
        <source>Most steps of the search</source>
        <translation>Nombre maximal d’étapes de la recherche</translation>
    </message>
    <message>
        <source>Time limit of the search (seconds)</source>
        <translation>Limite de temps de la recherche (secondes)</translation>
    </message>
    <message>
        <source>Where searches begin</source>
        <translation>Où les recherches commencent</translation>
    </message>
    <message>
        <source>Most moves of a search</source>
        <translation>Nombre maximal de mouvements d’une recherche</translation>
    </message>
    <message>
        <source>What the best areas are best in</source>
        <translation>Ce en quoi les meilleures zones sont les meilleures</translation>
    </message>
    <message>
        <source>Starts of best</source>
        <translation>Départs de best</translation>
    </message>
    <message>
        <source>Mask file of the release</source>
        <translation>Fichier de masquage de la publication</translation>
    </message>
    <message>
        <source>People or addresses</source>
        <translation>Personnes ou adresses</translation>
    </message>
    <message>
        <source>Field with the number</source>
        <translation>Champ avec le nombre</translation>
    </message>
    <message>
        <source>Least number in an area (K)</source>
        <translation>Plus petit nombre d’une zone (K)</translation>
    </message>
    <message>
        <source>Keep points in their areas</source>
        <translation>Garder les points dans leurs zones</translation>
    </message>
    <message>
        <source>Addresses to hide among (k)</source>
        <translation>Adresses parmi lesquelles se cacher (k)</translation>
    </message>
    <message>
        <source>What is counted</source>
        <translation>Ce qui est compté</translation>
    </message>
    <message>
        <source>Records to hide among</source>
        <translation>Enregistrements parmi lesquels se cacher</translation>
    </message>
    <message>
        <source>Class of an address</source>
        <translation>Classe d’une adresse</translation>
    </message>
    <message>
        <source>Release at</source>
        <translation>Publier à</translation>
    </message>
    <message>
        <source>Largest probability of an address</source>
        <translation>Plus grande probabilité d’une adresse</translation>
    </message>
    <message>
        <source>Share of the addresses with records</source>
        <translation>Part des adresses avec des enregistrements</translation>
    </message>
    <message>
        <source>Private: mask file of the points, if they are masked already</source>
        <translation>Confidentiel : fichier de masquage des points, s’ils sont déjà masqués</translation>
    </message>
    <message>
        <source>Mean shift of the masked points (metres)</source>
        <translation>Déplacement moyen des points masqués (mètres)</translation>
    </message>
    <message>
        <source>Law</source>
        <translation>Loi</translation>
    </message>
    <message>
        <source>Size by</source>
        <translation>Taille selon</translation>
    </message>
    <message>
        <source>Population areas</source>
        <translation>Zones de population</translation>
    </message>
    <message>
        <source>Zones to stay in</source>
        <translation>Zones où rester</translation>
    </message>
    <message>
        <source>Disc and donut even by</source>
        <translation>Disque et anneau uniformes selon</translation>
    </message>
    <message>
        <source>Largest distance in towns (metres)</source>
        <translation>Plus grande distance en ville (mètres)</translation>
    </message>
    <message>
        <source>Share that may go farther</source>
        <translation>Part qui peut aller plus loin</translation>
    </message>
    <message>
        <source>Largest distance of that share (metres)</source>
        <translation>Plus grande distance de cette part (mètres)</translation>
    </message>
    <message>
        <source>Where points could have gone</source>
        <translation>Où les points auraient pu aller</translation>
    </message>
    <message>
        <source>Withheld records</source>
        <translation>Enregistrements retenus</translation>
    </message>
    <message>
        <source>Secret file</source>
        <translation>Fichier secret</translation>
    </message>
    <message>
        <source>Records withheld</source>
        <translation>Nombre d’enregistrements retenus</translation>
    </message>
    <message>
        <source>Secret file of an earlier release</source>
        <translation>Fichier secret d’une publication antérieure</translation>
    </message>
    <message>
        <source>Candidates (address list)</source>
        <translation>Candidats (liste d’adresses)</translation>
    </message>
    <message>
        <source>Largest distance (metres)</source>
        <translation>Plus grande distance (mètres)</translation>
    </message>
    <message>
        <source>Fewest candidates (k)</source>
        <translation>Plus petit nombre de candidats (k)</translation>
    </message>
    <message>
        <source>Where the ring holds too few</source>
        <translation>Là où l’anneau en contient trop peu</translation>
    </message>
    <message>
        <source>Shifts</source>
        <translation>Déplacements</translation>
    </message>
    <message>
        <source>Points masked</source>
        <translation>Points déplacés par le masquage</translation>
    </message>
    <message>
        <source>Median shift (metres)</source>
        <translation>Déplacement médian (mètres)</translation>
    </message>
    <message>
        <source>Points to mask</source>
        <translation>Points à masquer</translation>
    </message>
    <message>
        <source>Shuffle the rows</source>
        <translation>Mélanger les lignes</translation>
    </message>
    <message>
        <source>Side of a cell (metres)</source>
        <translation>Côté d’une cellule (mètres)</translation>
    </message>
    <message>
        <source>Field with the number of people or addresses</source>
        <translation>Champ avec le nombre de personnes ou d’adresses</translation>
    </message>
    <message>
        <source>Least number in an area (k)</source>
        <translation>Plus petit nombre d’une zone (k)</translation>
    </message>
    <message>
        <source>Place in the area</source>
        <translation>Place dans la zone</translation>
    </message>
    <message>
        <source>Addresses to a site</source>
        <translation>Adresses par site</translation>
    </message>
    <message>
        <source>Least number of places with records in an area</source>
        <translation>Plus petit nombre de lieux avec des enregistrements dans une zone</translation>
    </message>
    <message>
        <source>Fewest nodes</source>
        <translation>Plus petit nombre de nœuds</translation>
    </message>
    <message>
        <source>Upper limit of nodes</source>
        <translation>Plus grand nombre de nœuds</translation>
    </message>
    <message>
        <source>Length to search (metres)</source>
        <translation>Longueur à parcourir (mètres)</translation>
    </message>
    <message>
        <source>Original points</source>
        <translation>Points d’origine</translation>
    </message>
    <message>
        <source>Controls</source>
        <translation>Témoins</translation>
    </message>
    <message>
        <source>People at a control</source>
        <translation>Personnes par témoin</translation>
    </message>
    <message>
        <source>Services</source>
        <translation>Services</translation>
    </message>
    <message>
        <source>Largest cluster, as a share of the population</source>
        <translation>Plus grand agrégat, en part de la population</translation>
    </message>
    <message>
        <source>Draws for the p-value of clusters</source>
        <translation>Tirages pour la valeur p des agrégats</translation>
    </message>
    <message>
        <source>Simulations for the envelopes of K</source>
        <translation>Simulations pour les enveloppes de K</translation>
    </message>
    <message>
        <source>Clusters of the scan statistic</source>
        <translation>Agrégats de la statistique de balayage</translation>
    </message>
    <message>
        <source>Records in both layers</source>
        <translation>Enregistrements dans les deux couches</translation>
    </message>
    <message>
        <source>Originals without a released point</source>
        <translation>Originaux sans point publié</translation>
    </message>
    <message>
        <source>Median actual k</source>
        <translation>k réel médian</translation>
    </message>
    <message>
        <source>Median estimated k</source>
        <translation>k estimé médian</translation>
    </message>
    <message>
        <source>Median k-original</source>
        <translation>k d’origine médian</translation>
    </message>
    <message>
        <source>Spruill's measure</source>
        <translation>Mesure de Spruill</translation>
    </message>
    <message>
        <source>LLR of the most likely cluster in the original</source>
        <translation>LLR de l’agrégat le plus probable dans l’original</translation>
    </message>
    <message>
        <source>LLR of the most likely cluster in the release</source>
        <translation>LLR de l’agrégat le plus probable dans la publication</translation>
    </message>
    <message>
        <source>p-value of the most likely cluster in the original</source>
        <translation>Valeur p de l’agrégat le plus probable dans l’original</translation>
    </message>
    <message>
        <source>p-value of the most likely cluster in the release</source>
        <translation>Valeur p de l’agrégat le plus probable dans la publication</translation>
    </message>
    <message>
        <source>Most likely cluster kept</source>
        <translation>Agrégat le plus probable conservé</translation>
    </message>
    <message>
        <source>Drift of the mean centre (metres)</source>
        <translation>Dérive du centre moyen (mètres)</translation>
    </message>
    <message>
        <source>Difference of nearest-neighbour distances</source>
        <translation>Différence des distances au plus proche voisin</translation>
    </message>
    <message>
        <source>Difference of L (metres)</source>
        <translation>Différence de L (mètres)</translation>
    </message>
    <message>
        <source>Agreement of DBSCAN's clusters</source>
        <translation>Concordance des agrégats DBSCAN</translation>
    </message>
    <message>
        <source>Overlap of the kernel densities</source>
        <translation>Recouvrement des densités à noyau</translation>
    </message>
    <message>
        <source>Moran's I in the original</source>
        <translation>I de Moran dans l’original</translation>
    </message>
    <message>
        <source>Moran's I in the release</source>
        <translation>I de Moran dans la publication</translation>
    </message>
    <message>
        <source>Local clusters kept</source>
        <translation>Agrégats locaux conservés</translation>
    </message>
    <message>
        <source>Median error of the distance to the nearest service (metres)</source>
        <translation>Erreur médiane de la distance au service le plus proche (mètres)</translation>
    </message>
    <message>
        <source>Share of points that stay in their zone</source>
        <translation>Part des points qui restent dans leur zone</translation>
    </message>
    <message>
        <source>Share of released points where nobody lives</source>
        <translation>Part des points publiés là où personne n’habite</translation>
    </message>
    <message>
        <source>Kinds of the fields</source>
        <translation>Natures des champs</translation>
    </message>
    <message>
        <source>Missing values</source>
        <translation>Valeurs manquantes</translation>
    </message>
    <message>
        <source>Places take part</source>
        <translation>Les lieux participent</translation>
    </message>
    <message>
        <source>People at risk</source>
        <translation>Personnes exposées</translation>
    </message>
    <message>
        <source>Verdict of the three measures</source>
        <translation>Verdict des trois mesures</translation>
    </message>
    <message>
        <source>Singling out: share found</source>
        <translation>Individualisation : part trouvée</translation>
    </message>
    <message>
        <source>Singling out: upper end</source>
        <translation>Individualisation : borne supérieure</translation>
    </message>
    <message>
        <source>Linkability: share found</source>
        <translation>Corrélation entre fichiers : part trouvée</translation>
    </message>
    <message>
        <source>Linkability: upper end</source>
        <translation>Corrélation entre fichiers : borne supérieure</translation>
    </message>
    <message>
        <source>Inference: share found</source>
        <translation>Inférence : part trouvée</translation>
    </message>
    <message>
        <source>Inference: upper end</source>
        <translation>Inférence : borne supérieure</translation>
    </message>
    <message>
        <source>Membership: share found</source>
        <translation>Appartenance : part trouvée</translation>
    </message>
    <message>
        <source>Membership: upper end</source>
        <translation>Appartenance : borne supérieure</translation>
    </message>
    <message>
        <source>Originals of whom true values stand together</source>
        <translation>Originaux dont des valeurs vraies sont réunies</translation>
    </message>
    <message>
        <source>What an adversary knows (none chosen: several are tried)</source>
        <translation>Ce qu’un adversaire sait (aucun choisi : plusieurs sont essayés)</translation>
    </message>
    <message>
        <source>He knows the place, too</source>
        <translation>Il connaît aussi le lieu</translation>
    </message>
    <message>
        <source>What he wants to learn (none chosen: all he does not know)</source>
        <translation>Ce qu’il veut apprendre (aucun choisi : tout ce qu’il ne sait pas)</translation>
    </message>
    <message>
        <source>Ranges of numbers</source>
        <translation>Étendues des nombres</translation>
    </message>
    <message>
        <source>Share of the population in the table</source>
        <translation>Part de la population dans la table</translation>
    </message>
    <message>
        <source>Dates are counted</source>
        <translation>Les dates sont comptées</translation>
    </message>
    <message>
        <source>Sensitive fields</source>
        <translation>Champs sensibles</translation>
    </message>
    <message>
        <source>Fewest different sensitive values in a class (l)</source>
        <translation>Plus petit nombre de valeurs sensibles différentes d’une classe (l)</translation>
    </message>
    <message>
        <source>Farthest from the whole table (t)</source>
        <translation>Plus grand écart à la table entière (t)</translation>
    </message>
    <message>
        <source>Distance matrix</source>
        <translation>Matrice de distances</translation>
    </message>
    <message>
        <source>Distance kept</source>
        <translation>Distance conservée</translation>
    </message>
    <message>
        <source>What the matrix draws</source>
        <translation>Ce que la matrice dessine</translation>
    </message>
    <message>
        <source>Unit of the released distances</source>
        <translation>Unité des distances publiées</translation>
    </message>
    <message>
        <source>Decimals of the released distances</source>
        <translation>Décimales des distances publiées</translation>
    </message>
    <message>
        <source>Feature id for “Distance kept”</source>
        <translation>Identifiant d’entité pour « Distance conservée »</translation>
    </message>
    <message>
        <source>Risk of each record</source>
        <translation>Risque de chaque enregistrement</translation>
    </message>
    <message>
        <source>Field with the person's id</source>
        <translation>Champ avec l'identifiant de la personne</translation>
    </message>
    <message>
        <source>Records to withhold</source>
        <translation>Enregistrements à retenir</translation>
    </message>
    <message numerus="yes">
        <source>{n} records were</source>
        <extracomment>One: {n} record was</extracomment>
        <translation><numerusform>{n} enregistrement était</numerusform><numerusform>{n} enregistrements étaient</numerusform></translation>
    </message>
    <message>
        <source>Private</source>
        <translation>Confidentiel</translation>
    </message>
    <message>
        <source>Field that names a person</source>
        <translation>Champ qui nomme une personne</translation>
    </message>
    <message>
        <source>N</source>
        <translation>N</translation>
    </message>
    <message>
        <source>What was left out</source>
        <translation>Ce qui a été omis</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Résultat</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>Carte</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>Catégorie</translation>
    </message>
    <message>
        <source>What an adversary finds</source>
        <translation>Ce que trouve un adversaire</translation>
    </message>
    <message>
        <source>How surely</source>
        <translation>Avec quelle certitude</translation>
    </message>
    <message>
        <source>Choosing embedding parameters</source>
        <translation>Choix des paramètres du plongement</translation>
    </message>
    <message>
        <source>Risk and utility</source>
        <translation>Risque et utilité</translation>
    </message>
    <message>
        <source>By parameters</source>
        <translation>Selon les paramètres</translation>
    </message>
    <message>
        <source>All rows</source>
        <translation>Toutes les lignes</translation>
    </message>
    <message>
        <source>Recommendation</source>
        <translation>Recommandation</translation>
    </message>
    <message>
        <source>Remark</source>
        <translation>Remarque</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>Groupes</translation>
    </message>
    <message>
        <source>distances</source>
        <translation>distances</translation>
    </message>
    <message>
        <source>Choosing a point mask</source>
        <translation>Choix d’un masquage de points</translation>
    </message>
    <message>
        <source>All masks</source>
        <translation>Tous les masquages</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>Limite</translation>
    </message>
    <message>
        <source>Records kept out</source>
        <translation>Enregistrements écartés</translation>
    </message>
    <message>
        <source>How it was computed</source>
        <translation>Comment cela a été calculé</translation>
    </message>
    <message>
        <source>Is it enough?</source>
        <translation>Est-ce suffisant ?</translation>
    </message>
    <message>
        <source>Who is released as he is</source>
        <translation>Qui est publié tel quel</translation>
    </message>
    <message>
        <source>On the map</source>
        <translation>Sur la carte</translation>
    </message>
    <message>
        <source>The three measures</source>
        <translation>Les trois mesures</translation>
    </message>
    <message>
        <source>Re-identification</source>
        <translation>Réidentification</translation>
    </message>
    <message>
        <source>The attacks</source>
        <translation>Les attaques</translation>
    </message>
    <message>
        <source>What was done</source>
        <translation>Ce qui a été fait</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>Attributs</translation>
    </message>
    <message>
        <source>Loading the matrix</source>
        <translation>Charger la matrice</translation>
    </message>
    <message>
        <source>In short</source>
        <translation>En bref</translation>
    </message>
    <message>
        <source>Nearest neighbours and ranks</source>
        <translation>Plus proches voisins et rangs</translation>
    </message>
    <message>
        <source>How distances are kept</source>
        <translation>Comment les distances sont conservées</translation>
    </message>
    <message>
        <source>What analyses say</source>
        <translation>Ce que disent les analyses</translation>
    </message>
    <message>
        <source>Neighbours and ranks</source>
        <translation>Voisins et rangs</translation>
    </message>
    <message>
        <source>Sizes of the classes</source>
        <translation>Tailles des classes</translation>
    </message>
    <message>
        <source>The quasi-identifiers</source>
        <translation>Les quasi-identifiants</translation>
    </message>
    <message>
        <source>In the population</source>
        <translation>Dans la population</translation>
    </message>
    <message>
        <source>The smallest classes</source>
        <translation>Les plus petites classes</translation>
    </message>
    <message>
        <source>Pairs that share a label</source>
        <translation>Paires qui partagent une étiquette</translation>
    </message>
    <message>
        <source>Records that share a label with nobody</source>
        <translation>Enregistrements qui ne partagent d’étiquette avec personne</translation>
    </message>
    <message>
        <source>Share of the variance of their distances that is explained</source>
        <translation>Part expliquée de la variance de leurs distances</translation>
    </message>
    <message>
        <source>Usual error of a distance (root mean square)</source>
        <translation>Erreur habituelle d’une distance (moyenne quadratique)</translation>
    </message>
    <message>
        <source>What it does not protect</source>
        <translation>Ce que cela ne protège pas</translation>
    </message>
    <message>
        <source>What the adversary finds</source>
        <translation>Ce que l’adversaire trouve</translation>
    </message>
    <message>
        <source>The matches</source>
        <translation>Les appariements</translation>
    </message>
    <message>
        <source>The two files</source>
        <translation>Les deux fichiers</translation>
    </message>
    <message>
        <source>Attack by attack</source>
        <translation>Attaque par attaque</translation>
    </message>
    <message>
        <source>Further releases</source>
        <translation>Autres publications</translation>
    </message>
    <message>
        <source>ids</source>
        <translation>identifiants</translation>
    </message>
    <message>
        <source>distances to all others</source>
        <translation>distances à tous les autres</translation>
    </message>
    <message>
        <source>Linked by</source>
        <translation>Reliés par</translation>
    </message>
    <message>
        <source>Records linked</source>
        <translation>Enregistrements reliés</translation>
    </message>
    <message>
        <source>The attacks side by side</source>
        <translation>Les attaques côte à côte</translation>
    </message>
    <message>
        <source>Precision and recall</source>
        <translation>Précision et rappel</translation>
    </message>
    <message>
        <source>All cells</source>
        <translation>Toutes les cellules</translation>
    </message>
    <message>
        <source>A verdict on each release</source>
        <translation>Un verdict sur chaque publication</translation>
    </message>
    <message>
        <source>How far points moved</source>
        <translation>De combien les points ont bougé</translation>
    </message>
    <message>
        <source>Measures of risk, and what an attack finds</source>
        <translation>Mesures du risque, et ce que trouve une attaque</translation>
    </message>
    <message>
        <source>Maps</source>
        <translation>Cartes</translation>
    </message>
    <message>
        <source>Table for a section on methods</source>
        <translation>Tableau pour une section de méthodes</translation>
    </message>
    <message>
        <source>Clusters (Kulldorff's scan statistic)</source>
        <translation>Agrégats (statistique de balayage de Kulldorff)</translation>
    </message>
    <message>
        <source>Pattern (Ripley's K and cross-K)</source>
        <translation>Structure (K de Ripley et K croisé)</translation>
    </message>
    <message>
        <source>The fields</source>
        <translation>Les champs</translation>
    </message>
    <message>
        <source>Column by column</source>
        <translation>Colonne par colonne</translation>
    </message>
    <message>
        <source>Pairs of columns</source>
        <translation>Paires de colonnes</translation>
    </message>
    <message>
        <source>In space</source>
        <translation>Dans l’espace</translation>
    </message>
    <message>
        <source>By zone</source>
        <translation>Par zone</translation>
    </message>
    <message>
        <source>Regressions</source>
        <translation>Régressions</translation>
    </message>
    <message>
        <source>Predictions</source>
        <translation>Prédictions</translation>
    </message>
    <message>
        <source>Can it be told from the original?</source>
        <translation>Peut-on la distinguer de l’original ?</translation>
    </message>
    <message>
        <source>What fields tell of each other</source>
        <translation>Ce que les champs disent l’un de l’autre</translation>
    </message>
    <message>
        <source>Reversal of a Voronoi mask</source>
        <translation>Inversion d’un masquage de Voronoï</translation>
    </message>
    <message>
        <source>Is it a Voronoi mask at all?</source>
        <translation>Est-ce seulement un masquage de Voronoï ?</translation>
    </message>
    <message>
        <source>What is released</source>
        <translation>Ce qui est publié</translation>
    </message>
    <message>
        <source>Before and after, in the units of the fields</source>
        <translation>Avant et après, dans les unités des champs</translation>
    </message>
    <message>
        <source>What it kept</source>
        <translation>Ce qu’il a conservé</translation>
    </message>
    <message>
        <source>What another K would cost</source>
        <translation>Ce que coûterait un autre K</translation>
    </message>
    <message>
        <source>Attributes of the released records</source>
        <translation>Attributs des enregistrements publiés</translation>
    </message>
    <message>
        <source>Search for better sites</source>
        <translation>Recherche de meilleurs sites</translation>
    </message>
    <message>
        <source>Earlier release</source>
        <translation>Publication antérieure</translation>
    </message>
    <message>
        <source>Areas to join</source>
        <translation>Zones à réunir</translation>
    </message>
    <message>
        <source>What it cost elsewhere</source>
        <translation>Ce que cela a coûté ailleurs</translation>
    </message>
    <message>
        <source>Areas that release nothing or little</source>
        <translation>Zones qui ne publient rien ou peu</translation>
    </message>
    <message>
        <source>What every area keeps</source>
        <translation>Ce que chaque zone conserve</translation>
    </message>
    <message>
        <source>All combinations</source>
        <translation>Toutes les combinaisons</translation>
    </message>
    <message>
        <source>Which one to take</source>
        <translation>Laquelle prendre</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>Graphiques</translation>
    </message>
    <message>
        <source>Ratios</source>
        <translation>Rapports</translation>
    </message>
    <message>
        <source>Searches for better sites</source>
        <translation>Recherches de meilleurs sites</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Niveau de base</translation>
    </message>
    <message>
        <source>The files</source>
        <translation>Les fichiers</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>vrai ou faux</translation>
    </message>
    <message>
        <source>one or more of {options}</source>
        <translation>un ou plusieurs parmi {options}</translation>
    </message>
    <message>
        <source>one of {options}</source>
        <translation>un parmi {options}</translation>
    </message>
    <message>
        <source>Decision</source>
        <translation>Décision</translation>
    </message>
    <message>
        <source>The verdict: do_not_release, release_with_care (it held against every attack that was run), not_tested (no attack was run) or cannot_tell.</source>
        <translation>Le verdict : do_not_release, release_with_care (elle a tenu contre toutes les attaques exécutées), not_tested (aucune attaque n’a été exécutée) ou cannot_tell.</translation>
    </message>
    <message>
        <source>Share of people found, lower end</source>
        <translation>Part des personnes trouvées, borne inférieure</translation>
    </message>
    <message>
        <source>Lower end of the 95 % interval of the share of people found, by the worst attack; empty where none was run.</source>
        <translation>Borne inférieure de l’intervalle à 95 % de la part des personnes trouvées, par la pire attaque ; vide si aucune n’a été exécutée.</translation>
    </message>
    <message>
        <source>Share of people found, upper end</source>
        <translation>Part des personnes trouvées, borne supérieure</translation>
    </message>
    <message>
        <source>Upper end of that interval; 1 where a search was cut off. It is held against the limit.</source>
        <translation>Borne supérieure de cet intervalle ; 1 si une recherche a été interrompue. C’est elle qui est comparée à la limite.</translation>
    </message>
    <message>
        <source>The acceptable share of people found.</source>
        <translation>La part acceptable des personnes trouvées.</translation>
    </message>
    <message>
        <source>Whether what was limited is kept cannot be told of so few: the interval of the share of records above the limit spans what is allowed.</source>
        <translation>On ne peut dire, avec si peu de personnes, si ce qui a été limité est respecté : l’intervalle de la part des enregistrements au-dessus de la limite contient ce qui est permis.</translation>
    </message>
    <message>
        <source>Do not release this</source>
        <translation>Ne publiez pas ceci</translation>
    </message>
    <message>
        <source>People can be found in it, more of them or more surely than is acceptable.</source>
        <translation>Des personnes peuvent y être trouvées, en plus grand nombre ou plus sûrement qu’il n’est acceptable.</translation>
    </message>
    <message>
        <source>It held: may be released with care</source>
        <translation>Elle a tenu : peut être publiée avec prudence</translation>
    </message>
    <message>
        <source>It held against every attack that was run here, for the adversary named below. Nobody can show that no other attack finds more.</source>
        <translation>Elle a tenu contre toutes les attaques exécutées ici, pour l’adversaire nommé ci-dessous. Personne ne peut montrer qu’aucune autre attaque ne trouve davantage.</translation>
    </message>
    <message>
        <source>Not tested: do not release this yet</source>
        <translation>Non testé : ne publiez pas encore ceci</translation>
    </message>
    <message>
        <source>No attack was run on it, so nobody knows whether people can be found in it.</source>
        <translation>Aucune attaque n’a été exécutée : personne ne sait si des personnes peuvent y être trouvées.</translation>
    </message>
    <message>
        <source>Nobody can tell: do not release this yet</source>
        <translation>Personne ne peut le dire : ne publiez pas encore ceci</translation>
    </message>
    <message>
        <source>The attacks do not show whether the share of people found is acceptable: there are too few people, a search was cut off, or the interval spans the limit.</source>
        <translation>Les attaques ne montrent pas si la part des personnes trouvées est acceptable : il y a trop peu de personnes, une recherche a été interrompue, ou l’intervalle contient la limite.</translation>
    </message>
    <message>
        <source>Acceptable share of people found</source>
        <translation>Part acceptable des personnes trouvées</translation>
    </message>
    <message>
        <source>Up to this share of the people (0 to 1) an attack may find before the verdict is “do not release”. 0.09 is the threshold of the European Medicines Agency for published data. A single person who is found beyond doubt is too many.</source>
        <translation>Jusqu’à cette part des personnes (0 à 1) une attaque peut trouver avant que le verdict soit « ne publiez pas ». 0.09 est le seuil de l’Agence européenne des médicaments pour les données publiées. Une seule personne trouvée sans aucun doute est une de trop.</translation>
    </message>
    <message>
        <source>The limit (ACCEPTABLE) must be above 0 and below 1: at 0 nothing can be released, and at 1 everything.</source>
        <translation>La limite (ACCEPTABLE) doit être supérieure à 0 et inférieure à 1 : à 0 rien ne peut être publié, et à 1 tout.</translation>
    </message>
    <message>
        <source>Against whom</source>
        <translation>Contre qui</translation>
    </message>
    <message>
        <source>An adversary who {knows}, and who {wants}.</source>
        <translation>Un adversaire qui {knows}, et qui {wants}.</translation>
    </message>
    <message>
        <source>Not run</source>
        <translation>Non exécuté</translation>
    </message>
    <message>
        <source>Acceptable</source>
        <translation>Acceptable</translation>
    </message>
    <message>
        <source>At most {limit:.3g} % of the people found, and nobody surely.</source>
        <translation>Au plus {limit:.3g} % des personnes trouvées, et personne à coup sûr.</translation>
    </message>
    <message>
        <source>What to do next</source>
        <translation>Que faire ensuite</translation>
    </message>
    <message>
        <source>The fewest that agree in all quasi-identifiers are {smallest:,} (k).</source>
        <translation>Les moins nombreux à concorder en tous les quasi-identifiants sont {smallest:,} (k).</translation>
    </message>
    <message>
        <source>Each of those is found with {chance:.3g} %: the limit holds on average, not for every person.</source>
        <translation>Chacun de ceux-là est trouvé avec {chance:.3g} % : la limite vaut en moyenne, non pour chaque personne.</translation>
    </message>
    <message>
        <source>One record was left out so that this holds.</source>
        <translation>Un enregistrement a été omis pour que cela tienne.</translation>
    </message>
    <message>
        <source>{records} left out so that this holds.</source>
        <translation>{records} omis pour que cela tienne.</translation>
    </message>
    <message>
        <source>He names or guesses at {claims}.</source>
        <translation>Il nomme ou suppose {claims}.</translation>
    </message>
    <message>
        <source>One record is shown as it is, or found beyond doubt.</source>
        <translation>Un enregistrement est montré tel quel, ou trouvé sans aucun doute.</translation>
    </message>
    <message>
        <source>{records} shown as they are, or found beyond doubt.</source>
        <translation>{records} montrés tels quels, ou trouvés sans aucun doute.</translation>
    </message>
    <message>
        <source>There is nobody to be found.</source>
        <translation>Il n’y a personne à trouver.</translation>
    </message>
    <message>
        <source>How many of {people} are found cannot be said: it is not known which record belongs to whom.</source>
        <translation>Combien de {people} sont trouvées ne peut être dit : on ne sait pas quel enregistrement appartient à qui.</translation>
    </message>
    <message>
        <source>Right in {right:.1f} % of the attempts on people of the file, in {control:.1f} % on people who are not in it, in {blind:.1f} % blindly. Found beyond these: {share:.1f} % of {people}; with 95 % confidence between {low:.1f} and {high:.1f} %.</source>
        <translation>Juste dans {right:.1f} % des essais sur des personnes du fichier, dans {control:.1f} % sur des personnes qui n’y sont pas, dans {blind:.1f} % à l’aveugle. Trouvé au-delà : {share:.1f} % de {people} ; avec une confiance de 95 % entre {low:.1f} et {high:.1f} %.</translation>
    </message>
    <message>
        <source>{found:,.0f} of {people} are in classes that tell more of a sensitive field than was allowed: {share:.1f} %. All records were counted, so that there is nothing to estimate.</source>
        <translation>{found:,.0f} de {people} sont dans des classes qui disent d’un champ sensible plus qu’il n’était permis : {share:.1f} %. Tous les enregistrements ont été comptés, il n’y a donc rien à estimer.</translation>
    </message>
    <message>
        <source>{found:,.0f} of {people} count as found, one for each small number that can be worked out, or told to be small: {share:.1f} %. All that is published was looked at together, so that there is nothing to estimate.</source>
        <translation>{found:,.0f} sur {people} comptent comme trouvées, une pour chaque petit nombre qui peut être calculé, ou dont on dit qu’il est petit : {share:.1f} %. Tout ce qui est publié a été examiné ensemble, de sorte qu’il n’y a rien à estimer.</translation>
    </message>
    <message>
        <source>{found:,.0f} of {people} are found on average by whoever takes one of the records that fit: {share:.1f} %. All records were counted, so that there is nothing to estimate.</source>
        <translation>{found:,.0f} de {people} sont trouvées en moyenne par qui prend un des enregistrements qui conviennent : {share:.1f} %. Tous les enregistrements ont été comptés, il n’y a donc rien à estimer.</translation>
    </message>
    <message>
        <source>{found:,.0f} of {people} were found: {share:.1f} %; with 95 % confidence between {low:.1f} and {high:.1f} % in data of this kind.</source>
        <translation>{found:,.0f} de {people} ont été trouvées : {share:.1f} % ; avec une confiance de 95 % entre {low:.1f} et {high:.1f} % dans des données de cette sorte.</translation>
    </message>
    <message>
        <source>Without any key {found:,.1f} of {people} can be expected to be found: {share:.1f} %; with 95 % confidence between {low:.1f} and {high:.1f} %.</source>
        <translation>Sans aucune clé, on peut s’attendre à ce que {found:,.1f} de {people} soient trouvées : {share:.1f} % ; avec une confiance de 95 % entre {low:.1f} et {high:.1f} %.</translation>
    </message>
    <message>
        <source>feature ids {ids} and more</source>
        <translation>identifiants d’entité {ids} et d’autres</translation>
    </message>
    <message>
        <source>feature ids {ids}</source>
        <translation>identifiants d’entité {ids}</translation>
    </message>
    <message>
        <source>feature id {ids}</source>
        <translation>identifiant d’entité {ids}</translation>
    </message>
    <message>
        <source>Private: do not pass on</source>
        <translation>Confidentiel : ne pas transmettre</translation>
    </message>
    <message>
        <source>This report shows original locations, or what leads back to them. It is only for those who may see the original data. It must not be given to anyone who receives the released data, and must not be published, mailed or stored beside it.</source>
        <translation>Ce rapport montre des lieux d’origine, ou ce qui y ramène. Il n’est que pour ceux qui ont le droit de voir les données d’origine. Il ne doit être donné à aucune personne qui reçoit les données publiées, ni publié, envoyé ou rangé à côté d’elles.</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Note</translation>
    </message>
    <message>
        <source>Caution</source>
        <translation>Prudence</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Avertissement</translation>
    </message>
    <message>
        <source>–</source>
        <translation>–</translation>
    </message>
    <message>
        <source>Rows shown: the first {shown} of {total}; left out: {left}. The JSON form of this report holds them all.</source>
        <translation>Lignes montrées : les {shown} premières de {total} ; omises : {left}. La forme JSON de ce rapport les contient toutes.</translation>
    </message>
    <message>
        <source>No rows.</source>
        <translation>Aucune ligne.</translation>
    </message>
    <message>
        <source>The numbers behind this chart</source>
        <translation>Les nombres derrière ce graphique</translation>
    </message>
    <message>
        <source>The chart is given as a table because the Python package matplotlib, which would draw it, is not installed.</source>
        <translation>Le graphique est donné en tableau, car le paquet Python matplotlib, qui le dessinerait, n’est pas installé.</translation>
    </message>
    <message>
        <source>There are no values to draw.</source>
        <translation>Il n’y a pas de valeurs à dessiner.</translation>
    </message>
    <message>
        <source>Not drawn: larger values ({count}), up to {maximum}.</source>
        <translation>Non dessiné : valeurs plus grandes ({count}), jusqu’à {maximum}.</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>Nombre</translation>
    </message>
    <message>
        <source>To below</source>
        <translation>À moins de</translation>
    </message>
    <message>
        <source>Series</source>
        <translation>Série</translation>
    </message>
    <message>
        <source>Lower end</source>
        <translation>Borne inférieure</translation>
    </message>
    <message>
        <source>Upper end</source>
        <translation>Borne supérieure</translation>
    </message>
    <message>
        <source>Drawn: {shown} of {total} dots, evenly picked. The JSON form of this report holds them all.</source>
        <translation>Dessinés : {shown} points de {total}, choisis régulièrement. La forme JSON de ce rapport les contient tous.</translation>
    </message>
    <message>
        <source>Print two pages only: the decision and this audit</source>
        <translation>Imprimer deux pages seulement : la décision et cet audit</translation>
    </message>
    <message>
        <source>Made with {program}</source>
        <translation>Fait avec {program}</translation>
    </message>
    <message>
        <source>The report could not be written to {path}: {reason}. Choose a folder that exists and in which you may write, close the file if another program has it open, and run again.</source>
        <translation>Le rapport n’a pas pu être écrit dans {path} : {reason}. Choisissez un dossier qui existe et où vous avez le droit d’écrire, fermez le fichier si un autre programme l’a ouvert, et recommencez.</translation>
    </message>
    <message>
        <source>Private: Aggregated areas</source>
        <translation>Confidentiel : zones agrégées</translation>
    </message>
    <message>
        <source>Release: Regions and their areas</source>
        <translation>Publication : régions et leurs zones</translation>
    </message>
    <message>
        <source>Release: Records</source>
        <translation>Publication : enregistrements</translation>
    </message>
    <message>
        <source>Release: Regions</source>
        <translation>Publication : régions</translation>
    </message>
    <message>
        <source>Private: Report of the aggregation</source>
        <translation>Confidentiel : rapport de l’agrégation</translation>
    </message>
    <message>
        <source>Private: Sites</source>
        <translation>Confidentiel : sites</translation>
    </message>
    <message>
        <source>Private: Combinations</source>
        <translation>Confidentiel : combinaisons</translation>
    </message>
    <message>
        <source>Private: Report of the comparison</source>
        <translation>Confidentiel : rapport de la comparaison</translation>
    </message>
    <message>
        <source>Aggregate regions and records, report</source>
        <translation>Agréger régions et enregistrements, rapport</translation>
    </message>
    <message>
        <source>Release: Anonymised records</source>
        <translation>Publication : enregistrements anonymisés</translation>
    </message>
    <message>
        <source>Private: Report of the anonymization</source>
        <translation>Confidentiel : rapport de l’anonymisation</translation>
    </message>
    <message>
        <source>Private: Report of the risk</source>
        <translation>Confidentiel : rapport du risque</translation>
    </message>
    <message>
        <source>Private: Risk of each record</source>
        <translation>Confidentiel : risque de chaque enregistrement</translation>
    </message>
    <message>
        <source>Private: Report of the utility</source>
        <translation>Confidentiel : rapport de l’utilité</translation>
    </message>
    <message>
        <source>Private: Measures of utility</source>
        <translation>Confidentiel : mesures de l’utilité</translation>
    </message>
    <message>
        <source>Anonymise, measure, report</source>
        <translation>Anonymiser, mesurer, rapport</translation>
    </message>
    <message>
        <source>Fields to anonymise and release (none chosen: those that pass the screening)</source>
        <translation>Champs à anonymiser et à publier (aucun choisi : ceux qui passent le tri)</translation>
    </message>
    <message>
        <source>Private: Guesses</source>
        <translation>Confidentiel : suppositions</translation>
    </message>
    <message>
        <source>Private: Report of the attack</source>
        <translation>Confidentiel : rapport de l’attaque</translation>
    </message>
    <message>
        <source>Release: Masked points</source>
        <translation>Publication : points masqués</translation>
    </message>
    <message>
        <source>Private: Report of the masking</source>
        <translation>Confidentiel : rapport du masquage</translation>
    </message>
    <message>
        <source>Private: Secret file</source>
        <translation>Confidentiel : fichier secret</translation>
    </message>
    <message>
        <source>Private: Withheld records</source>
        <translation>Confidentiel : enregistrements retenus</translation>
    </message>
    <message>
        <source>Private: Report of the measures</source>
        <translation>Confidentiel : rapport des mesures</translation>
    </message>
    <message>
        <source>Mask by exchange, attack, measure, report</source>
        <translation>Masquer par échange, attaquer, mesurer, rapport</translation>
    </message>
    <message>
        <source>Attributes to release (none chosen: those that pass the screening)</source>
        <translation>Attributs à publier (aucun choisi : ceux qui passent le tri)</translation>
    </message>
    <message>
        <source>Release: Masked points with anonymised fields</source>
        <translation>Publication : points masqués avec champs anonymisés</translation>
    </message>
    <message>
        <source>Private: Report of the attack on points</source>
        <translation>Confidentiel : rapport de l’attaque contre les points</translation>
    </message>
    <message>
        <source>Private: People at risk</source>
        <translation>Confidentiel : personnes à risque</translation>
    </message>
    <message>
        <source>Private: Report of the attack on both</source>
        <translation>Confidentiel : rapport de l’attaque contre les deux</translation>
    </message>
    <message>
        <source>Mask points, anonymise fields, attack both</source>
        <translation>Masquer les points, anonymiser les champs, attaquer les deux</translation>
    </message>
    <message>
        <source>Fields to release</source>
        <translation>Champs à publier</translation>
    </message>
    <message>
        <source>Fields that stay as they are (none chosen: all are anonymised)</source>
        <translation>Champs qui restent tels quels (aucun choisi : tous sont anonymisés)</translation>
    </message>
    <message>
        <source>Method for the fields</source>
        <translation>Méthode pour les champs</translation>
    </message>
    <message>
        <source>Private: Shifts</source>
        <translation>Confidentiel : déplacements</translation>
    </message>
    <message>
        <source>Private: Assigned candidates</source>
        <translation>Confidentiel : candidats attribués</translation>
    </message>
    <message>
        <source>Private: Links</source>
        <translation>Confidentiel : liens</translation>
    </message>
    <message>
        <source>Mask, attack, report</source>
        <translation>Masquer, attaquer, rapport</translation>
    </message>
    <message>
        <source>Field that names a person or address</source>
        <translation>Champ qui nomme une personne ou une adresse</translation>
    </message>
</context>
</TS>

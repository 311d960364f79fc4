<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" sourcelanguage="en" language="es">
<context>
    <name>GeoAnon</name>
    <message numerus="yes">
        <source>{n} records</source>
        <extracomment>One: {n} record</extracomment>
        <translation><numerusform>{n} registro</numerusform><numerusform>{n} registros</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>{n} records are</source>
        <extracomment>One: {n} record is</extracomment>
        <translation><numerusform>{n} registro está</numerusform><numerusform>{n} registros están</numerusform></translation>
    </message>
    <message>
        <source>linking releases</source>
        <translation>vinculación de las publicaciones</translation>
    </message>
    <message numerus="yes">
        <source>{n} people</source>
        <extracomment>One: {n} person</extracomment>
        <translation><numerusform>{n} persona</numerusform><numerusform>{n} personas</numerusform></translation>
    </message>
    <message>
        <source>Gaussian</source>
        <translation>Gaussiano</translation>
    </message>
    <message>
        <source>along streets</source>
        <translation>por las calles</translation>
    </message>
    <message>
        <source>merged zones</source>
        <translation>zonas unidas</translation>
    </message>
    <message>
        <source>areas of addresses</source>
        <translation>zonas de direcciones</translation>
    </message>
    <message>
        <source>distances between points moved by a Gaussian</source>
        <translation>distancias entre puntos movidos por una gaussiana</translation>
    </message>
    <message>
        <source>distances between exchanged addresses</source>
        <translation>distancias entre direcciones intercambiadas</translation>
    </message>
    <message>
        <source>distances between places changed in groups</source>
        <translation>distancias entre lugares cambiados en grupos</translation>
    </message>
    <message>
        <source>{first} from one file</source>
        <translation>{first} de un mismo archivo</translation>
    </message>
    <message>
        <source>a single field of a released record</source>
        <translation>un solo campo de un registro publicado</translation>
    </message>
    <message>
        <source>two different values</source>
        <translation>dos valores distintos</translation>
    </message>
    <message>
        <source>text with {different}</source>
        <translation>texto, {different}</translation>
    </message>
    <message>
        <source>whole numbers with {different}</source>
        <translation>números enteros, {different}</translation>
    </message>
    <message>
        <source>above zero and skewed ({raw:.1f}; logarithms {logs:.1f})</source>
        <translation>positivo y asimétrico ({raw:.1f}; logaritmos {logs:.1f})</translation>
    </message>
    <message>
        <source>numbers with {different}</source>
        <translation>números, {different}</translation>
    </message>
    <message>
        <source>What do you want to publish?</source>
        <translation>¿Qué quiere publicar?</translation>
    </message>
    <message>
        <source>Points: where people live, or where something happened</source>
        <translation>Puntos: dónde viven personas, o dónde ocurrió algo</translation>
    </message>
    <message>
        <source>Areas: records or numbers by district</source>
        <translation>Zonas: registros o números por distrito</translation>
    </message>
    <message>
        <source>Distances between records, without their places</source>
        <translation>Distancias entre registros, sin sus lugares</translation>
    </message>
    <message>
        <source>A table of attributes, with places or without</source>
        <translation>Una tabla de atributos, con lugares o sin ellos</translation>
    </message>
    <message>
        <source>Who may read it?</source>
        <translation>¿Quién podrá leerlo?</translation>
    </message>
    <message>
        <source>Anybody</source>
        <translation>Cualquiera</translation>
    </message>
    <message>
        <source>Researchers who have signed a contract</source>
        <translation>Investigadores que han firmado un contrato</translation>
    </message>
    <message>
        <source>Colleagues in our own house</source>
        <translation>Colegas de nuestra propia casa</translation>
    </message>
    <message>
        <source>What will he know?</source>
        <translation>¿Qué sabrá el lector?</translation>
    </message>
    <message>
        <source>Where there are addresses, but not who is in the file</source>
        <translation>Dónde hay direcciones, pero no quién está en el archivo</translation>
    </message>
    <message>
        <source>That a certain person is in the file, and where she lives</source>
        <translation>Que cierta persona está en el archivo, y dónde vive</translation>
    </message>
    <message>
        <source>Besides that her age, sex, trade or the like</source>
        <translation>Además, su edad, sexo, oficio o algo parecido</translation>
    </message>
    <message>
        <source>How often?</source>
        <translation>¿Cuántas veces?</translation>
    </message>
    <message>
        <source>Once</source>
        <translation>Una vez</translation>
    </message>
    <message>
        <source>Again, with the same people</source>
        <translation>Otra vez, con las mismas personas</translation>
    </message>
    <message>
        <source>Anybody may read it: nobody may be found with more than 9 %, the threshold of the European Medicines Agency for published data. That asks for groups of 12.</source>
        <translation>Cualquiera puede leerlo: nadie debe poder ser encontrado con más de un 9 %, el umbral de la Agencia Europea de Medicamentos para datos publicados. Eso exige grupos de 12.</translation>
    </message>
    <message>
        <source>Readers have signed what they must not do: one in five (20 %) is taken as the limit. This is our suggestion and no rule; your data protection officer decides.</source>
        <translation>Los lectores han firmado lo que no deben hacer: se toma como límite una persona de cada cinco (20 %). Es nuestra propuesta y no una regla; decide su delegado de protección de datos.</translation>
    </message>
    <message>
        <source>Colleagues who may see the originals need no release. For all others in the house one in five (20 %) is taken as the limit, since files travel. This is our suggestion and no rule; your data protection officer decides.</source>
        <translation>Los colegas que pueden ver los originales no necesitan una publicación. Para todos los demás de la casa se toma como límite una persona de cada cinco (20 %), pues los archivos viajan. Es nuestra propuesta y no una regla; decide su delegado de protección de datos.</translation>
    </message>
    <message>
        <source>I have no list of all addresses: displacement by numbers of people</source>
        <translation>No tengo una lista de todas las direcciones: desplazamiento según el número de personas</translation>
    </message>
    <message>
        <source>The report recommends a mask and has its command. Run it with its report, and attack the result with “Posterior attack on a point mask” before you give it away.</source>
        <translation>El informe recomienda un enmascaramiento y da su orden. Ejecútela con su informe y ataque el resultado con «Ataque a posteriori de un enmascaramiento de puntos» antes de entregarlo.</translation>
    </message>
    <message>
        <source>I have no list of all addresses: areas with enough people</source>
        <translation>No tengo una lista de todas las direcciones: zonas con suficientes personas</translation>
    </message>
    <message>
        <source>Only numbers of cases and rates for each area, no records</source>
        <translation>Solo números de casos y tasas por zona, sin registros</translation>
    </message>
    <message>
        <source>He asks who lives at the place of a point. An exchange of addresses promises that one point tells him one in k; how much a displacement hides depends on who lives there. Several masks are tried on your own points against him, and the one that keeps most is recommended, if one holds.</source>
        <translation>Pregunta quién vive en el lugar de un punto. Un intercambio de direcciones promete que un punto le dice una dirección de k; cuánto oculta un desplazamiento depende de quién vive allí. Se prueban contra él varios enmascaramientos con sus propios puntos y se recomienda el que más conserva, si alguno resiste.</translation>
    </message>
    <message>
        <source>He asks which record is hers, and finds it with any displacement of a useful size, as few other records lie near her home. Groups of records that change places promise him one in as many as a group has. Masks are tried on your own points against him and against who has only an address list.</source>
        <translation>Pregunta qué registro es el de ella, y lo encuentra con cualquier desplazamiento de tamaño útil, pues pocos otros registros están cerca de su casa. Los grupos de registros que cambian de lugar le prometen un registro de tantos como tiene el grupo. Se prueban enmascaramientos con sus propios puntos contra él y contra quien solo tiene una lista de direcciones.</translation>
    </message>
    <message>
        <source>First see by which attributes people are alone</source>
        <translation>Ver primero por qué atributos hay personas solas</translation>
    </message>
    <message>
        <source>A mask hides nothing that is known of her besides. Name in KNOWN what he knows: only records that are alike in all of it hide each other, so that attributes have to be coarser first. Masks are then tried on your own points.</source>
        <translation>Un enmascaramiento no oculta nada de lo que se sabe de ella además. Indique en KNOWN lo que sabe: solo los registros iguales en todo ello se ocultan unos a otros, de modo que antes hay que hacer más gruesos los atributos. Después se prueban enmascaramientos con sus propios puntos.</translation>
    </message>
    <message>
        <source>Small areas are joined to larger ones until each combination of what others may know (QIS, such as age group and sex) is there several times in each; what is still rarer is left out.</source>
        <translation>Las zonas pequeñas se unen en mayores hasta que cada combinación de lo que otros pueden saber (QIS, por ejemplo grupo de edad y sexo) está varias veces en cada una; lo que sigue siendo más raro se omite.</translation>
    </message>
    <message>
        <source>Read both reports, and compare what more areas would cost. Give away records and areas of one run, never of two.</source>
        <translation>Lea ambos informes y compare lo que costarían más zonas. Entregue registros y zonas de una sola ejecución, nunca de dos.</translation>
    </message>
    <message>
        <source>Two aggregations of the same records overlap to smaller areas. Keep the table of areas (LOOKUP) of each release, and give that of the one before as EARLIER: what its overlaps with the new areas show is then counted.</source>
        <translation>Dos agregaciones de los mismos registros se solapan en zonas menores. Guarde la tabla de zonas (LOOKUP) de cada publicación y dé la anterior como EARLIER: entonces se cuenta lo que muestran sus solapes con las zonas nuevas.</translation>
    </message>
    <message>
        <source>Read the report's verdict on the earlier release before you give the new one away.</source>
        <translation>Lea el veredicto del informe sobre la publicación anterior antes de entregar la nueva.</translation>
    </message>
    <message>
        <source>I know the parameters already: make the release</source>
        <translation>Ya conozco los parámetros: hacer la publicación</translation>
    </message>
    <message>
        <source>Sets and sizes are tried on your own points, with what they keep and who is found by somebody who has another file with the places of some of the people. Name in QIS what both files have. Neighbours give each other away: expect that little is recommended.</source>
        <translation>Se prueban conjuntos y tamaños con sus propios puntos, con lo que conservan y a quién encuentra alguien que tiene otro archivo con los lugares de algunas de las personas. Indique en QIS lo que tienen ambos archivos. Los vecinos se delatan unos a otros: espere pocas recomendaciones.</translation>
    </message>
    <message>
        <source>Make the release with “Lipschitz embedding release”, and attack it with “Graph-theoretic linkage attack” before you give it away.</source>
        <translation>Haga la publicación con «Publicación por inmersión de Lipschitz» y atáquela con «Ataque de enlace por grafos» antes de entregarla.</translation>
    </message>
    <message>
        <source>Sets and sizes are tried on your own points, with who is found by somebody who knows of some people (here 5) which records are theirs, and has a file with the places of others. Neighbours give each other away: expect that little is recommended.</source>
        <translation>Se prueban conjuntos y tamaños con sus propios puntos, con a quién encuentra alguien que sabe de algunas personas (aquí 5) qué registros son los suyos y tiene un archivo con los lugares de otras. Los vecinos se delatan unos a otros: espere pocas recomendaciones.</translation>
    </message>
    <message>
        <source>I want to keep true values and make them coarser: see who is alone</source>
        <translation>Quiero conservar valores verdaderos y hacerlos más gruesos: ver quién está solo</translation>
    </message>
    <message>
        <source>Attributes identify by combination. Values are changed; then four attacks, also on whether somebody is in the file, tell whether it is enough, and measures tell what is left of the statistics.</source>
        <translation>Los atributos identifican por combinación. Se cambian valores; después cuatro ataques, también sobre si alguien está en el archivo, dicen si basta, y unas medidas dicen qué queda de la estadística.</translation>
    </message>
    <message>
        <source>Read the report of the risk first. Addresses, postcodes and names are no attributes: leave them out.</source>
        <translation>Lea primero el informe del riesgo. Direcciones, códigos postales y nombres no son atributos: déjelos fuera.</translation>
    </message>
    <message>
        <source>Keep the secret file of each release and give it to the next (SECRET). Several draws for one place give it away, whatever the mask.</source>
        <translation>Guarde el archivo secreto de cada publicación y déselo a la siguiente (SECRET). Varios sorteos para un lugar lo delatan, sea cual sea el enmascaramiento.</translation>
    </message>
    <message>
        <source>A second embedding of the same records tells more than each of the two: publish once. If you must, attack all of them together (MORE_MATRICES of the linkage attack).</source>
        <translation>Una segunda inmersión de los mismos registros dice más que cada una de las dos: publique una sola vez. Si es necesario, atáquelas todas juntas (MORE_MATRICES del ataque de enlace).</translation>
    </message>
    <message>
        <source>Two anonymised versions of the same people tell more than one, and no tool here attacks both together: publish one version, and that one again.</source>
        <translation>Dos versiones anonimizadas de las mismas personas dicen más que una, y ninguna herramienta de aquí ataca ambas juntas: publique una versión, y siempre esa.</translation>
    </message>
    <message>
        <source>over 99 %</source>
        <translation>más del 99 %</translation>
    </message>
    <message>
        <source>below 1 %</source>
        <translation>menos del 1 %</translation>
    </message>
    <message>
        <source>released as it is</source>
        <translation>publicado tal cual</translation>
    </message>
    <message>
        <source>too near</source>
        <translation>demasiado cerca</translation>
    </message>
    <message>
        <source>not near</source>
        <translation>no cerca</translation>
    </message>
    <message>
        <source>{share} of the usual distance</source>
        <translation>{share} de la distancia habitual</translation>
    </message>
    <message>
        <source>found, by the key</source>
        <translation>encontrado, según la clave</translation>
    </message>
    <message>
        <source>Who is at risk?</source>
        <translation>¿Quién está en riesgo?</translation>
    </message>
    <message>
        <source>Save the last report as PDF</source>
        <translation>Guardar el último informe como PDF</translation>
    </message>
    <message>
        <source>Load sample data: Soho, 1854</source>
        <translation>Cargar datos de ejemplo: Soho, 1854</translation>
    </message>
    <message>
        <source>GeoAnon: who is at risk?</source>
        <translation>GeoAnon: ¿quién está en riesgo?</translation>
    </message>
    <message>
        <source>This layer is no attack's: choose the layer that an attack has written.</source>
        <translation>Esta capa no es de un ataque: elija la capa que ha escrito un ataque.</translation>
    </message>
    <message>
        <source>Which report?</source>
        <translation>¿Qué informe?</translation>
    </message>
    <message>
        <source>HTML files (*.html)</source>
        <translation>Archivos HTML (*.html)</translation>
    </message>
    <message>
        <source>The report is saved as {path}.</source>
        <translation>El informe se guardó como {path}.</translation>
    </message>
    <message>
        <source>PRIVATE: this shows where people live</source>
        <translation>PRIVADO: esto muestra dónde viven personas</translation>
    </message>
    <message>
        <source>What an attack has found</source>
        <translation>Lo que ha encontrado un ataque</translation>
    </message>
    <message>
        <source>Key of the release: it says who is who, and where</source>
        <translation>Clave de la publicación: dice quién es quién, y dónde</translation>
    </message>
    <message>
        <source>◀ Back</source>
        <translation>◀ Atrás</translation>
    </message>
    <message>
        <source>Next ▶</source>
        <translation>Siguiente ▶</translation>
    </message>
    <message>
        <source>Pick on map</source>
        <translation>Elegir en el mapa</translation>
    </message>
    <message>
        <source>Withhold</source>
        <translation>Retener</translation>
    </message>
    <message>
        <source>Write the record into a layer of records to withhold. Give that layer to the mask (Records to withhold) when you mask again.</source>
        <translation>Escribir el registro en una capa de registros que retener. Dé esa capa al enmascaramiento (Registros que retener) cuando vuelva a enmascarar.</translation>
    </message>
    <message>
        <source>Key: as the attack was run</source>
        <translation>Clave: como se ejecutó el ataque</translation>
    </message>
    <message>
        <source>Key: {name}</source>
        <translation>Clave: {name}</translation>
    </message>
    <message>
        <source>PRIVATE: record {name}</source>
        <translation>PRIVADO: registro {name}</translation>
    </message>
    <message>
        <source>Record {name}: {rank:,} of {all} by risk</source>
        <translation>Registro {name}: {rank:,} de {all} por riesgo</translation>
    </message>
    <message>
        <source>This attack has found nobody: its layer lists no record at risk.</source>
        <translation>Este ataque no ha encontrado a nadie: su capa no contiene ningún registro en riesgo.</translation>
    </message>
    <message>
        <source>There is nothing to look at yet. Run an attack on your release (Processing toolbox, GeoAnon, “Attack a release” or “Disclosure risk of microdata”) and have its layers loaded; then open this dock again.</source>
        <translation>Todavía no hay nada que mirar. Lance un ataque contra su publicación (caja de herramientas de Procesos, GeoAnon, «Atacar una publicación» o «Riesgo de revelación de microdatos») y haga cargar sus capas; después abra de nuevo este panel.</translation>
    </message>
    <message>
        <source>where the mask could have put the point</source>
        <translation>dónde pudo poner el punto el enmascaramiento</translation>
    </message>
    <message>
        <source>what the mask did</source>
        <translation>lo que hizo el enmascaramiento</translation>
    </message>
    <message>
        <source>what the adversary concludes</source>
        <translation>lo que concluye el adversario</translation>
    </message>
    <message>
        <source>address that explains the point</source>
        <translation>dirección que explica el punto</translation>
    </message>
    <message>
        <source>the other place of the pair</source>
        <translation>el otro lugar de la pareja</translation>
    </message>
    <message>
        <source>where the adversary looks for the person</source>
        <translation>dónde busca el adversario a la persona</translation>
    </message>
    <message>
        <source>nearest released record</source>
        <translation>registro publicado más cercano</translation>
    </message>
    <message>
        <source>released point</source>
        <translation>punto publicado</translation>
    </message>
    <message>
        <source>true place</source>
        <translation>lugar verdadero</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>Registro</translation>
    </message>
    <message>
        <source>At risk</source>
        <translation>En riesgo</translation>
    </message>
    <message>
        <source>{path} is no report of GeoAnon.</source>
        <translation>{path} no es un informe de GeoAnon.</translation>
    </message>
    <message>
        <source>The report {path} cannot be saved as PDF: {why}</source>
        <translation>El informe {path} no se puede guardar como PDF: {why}</translation>
    </message>
    <message>
        <source>deaths</source>
        <translation>muertes</translation>
    </message>
    <message>
        <source>pumps</source>
        <translation>bombas</translation>
    </message>
    <message>
        <source>addresses (made up)</source>
        <translation>direcciones (inventadas)</translation>
    </message>
    <message>
        <source>Sample: Soho, 1854</source>
        <translation>Ejemplo: Soho, 1854</translation>
    </message>
    <message>
        <source>GeoAnon: what do you want to publish?</source>
        <translation>GeoAnon: ¿qué quiere publicar?</translation>
    </message>
    <message>
        <source>Filled in for you</source>
        <translation>Rellenado para usted</translation>
    </message>
    <message>
        <source>Open “{tool}”</source>
        <translation>Abrir «{tool}»</translation>
    </message>
    <message>
        <source>Private: Records to withhold, by hand</source>
        <translation>Privado: registros que retener, a mano</translation>
    </message>
    <message>
        <source>Counts and rates by area</source>
        <translation>Números y tasas por zona</translation>
    </message>
    <message>
        <source>Counts and rates</source>
        <translation>Números y tasas</translation>
    </message>
    <message>
        <source>Areas with their rates</source>
        <translation>Zonas con sus tasas</translation>
    </message>
    <message>
        <source>What can be worked out</source>
        <translation>Lo que se puede calcular</translation>
    </message>
    <message>
        <source>Numbers in the table</source>
        <translation>Números de la tabla</translation>
    </message>
    <message>
        <source>Small numbers</source>
        <translation>Números pequeños</translation>
    </message>
    <message>
        <source>Numbers left out</source>
        <translation>Números omitidos</translation>
    </message>
    <message>
        <source>Small numbers that cannot be protected</source>
        <translation>Números pequeños que no se pueden proteger</translation>
    </message>
    <message>
        <source>Share of cases in areas that are left out</source>
        <translation>Parte de los casos en zonas omitidas</translation>
    </message>
    <message>
        <source>Areas or regions with counts</source>
        <translation>Zonas o regiones con números</translation>
    </message>
    <message>
        <source>Field with the area</source>
        <translation>Campo con la zona</translation>
    </message>
    <message>
        <source>Fields with cases</source>
        <translation>Campos con los casos</translation>
    </message>
    <message>
        <source>Fields with people</source>
        <translation>Campos con las personas</translation>
    </message>
    <message>
        <source>Fields of wider units</source>
        <translation>Campos de unidades más amplias</translation>
    </message>
    <message>
        <source>K</source>
        <translation>K</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>Ceros</translation>
    </message>
    <message>
        <source>People to whom a rate refers</source>
        <translation>Personas a las que se refiere una tasa</translation>
    </message>
    <message>
        <source>Field with all cases, of which those of CASES are parts</source>
        <translation>Campo con todos los casos, de los que los de CASES son partes</translation>
    </message>
    <message>
        <source>Nobody is counted in two of the fields with cases</source>
        <translation>Nadie está contado en dos de los campos con casos</translation>
    </message>
    <message>
        <source>Posterior attack on a point mask</source>
        <translation>Ataque a posteriori de un enmascaramiento de puntos</translation>
    </message>
    <message>
        <source>Check environment</source>
        <translation>Comprobar el entorno</translation>
    </message>
    <message>
        <source>Packages that can be used</source>
        <translation>Paquetes utilizables</translation>
    </message>
    <message>
        <source>Packages missing, too old or broken</source>
        <translation>Paquetes ausentes, demasiado antiguos o dañados</translation>
    </message>
    <message>
        <source>Command that installs them</source>
        <translation>Orden que los instala</translation>
    </message>
    <message>
        <source>Choose embedding parameters</source>
        <translation>Elegir parámetros de la inmersión</translation>
    </message>
    <message>
        <source>Recommended number of sets</source>
        <translation>Número de conjuntos recomendado</translation>
    </message>
    <message>
        <source>Recommended size</source>
        <translation>Tamaño recomendado</translation>
    </message>
    <message>
        <source>Recommended noise before the embedding</source>
        <translation>Ruido recomendado antes de la inmersión</translation>
    </message>
    <message>
        <source>Recommended radius of ISGP</source>
        <translation>Radio de ISGP recomendado</translation>
    </message>
    <message>
        <source>Rows that meet the limit</source>
        <translation>Filas que cumplen el límite</translation>
    </message>
    <message>
        <source>Worst overlap</source>
        <translation>Peor solape</translation>
    </message>
    <message>
        <source>Choose a point mask</source>
        <translation>Elegir un enmascaramiento de puntos</translation>
    </message>
    <message>
        <source>Recommended mask, for programs</source>
        <translation>Enmascaramiento recomendado, para programas</translation>
    </message>
    <message>
        <source>Recommended mask</source>
        <translation>Enmascaramiento recomendado</translation>
    </message>
    <message>
        <source>Masks that hold</source>
        <translation>Enmascaramientos que resisten</translation>
    </message>
    <message>
        <source>Mean shift of the recommended mask (metres)</source>
        <translation>Desplazamiento medio del enmascaramiento recomendado (metros)</translation>
    </message>
    <message>
        <source>Share of the records that it withholds</source>
        <translation>Parte de los registros que retiene</translation>
    </message>
    <message>
        <source>Belief beforehand up to which it holds</source>
        <translation>Creencia previa hasta la que resiste</translation>
    </message>
    <message>
        <source>Disclosure risk of microdata</source>
        <translation>Riesgo de revelación de microdatos</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Veredicto</translation>
    </message>
    <message>
        <source>Adequate (1) or not (0)</source>
        <translation>Suficiente (1) o no (0)</translation>
    </message>
    <message>
        <source>Records measured</source>
        <translation>Registros medidos</translation>
    </message>
    <message>
        <source>Originals released as they are</source>
        <translation>Originales publicados tal cual</translation>
    </message>
    <message>
        <source>Most of them that the reference explains</source>
        <translation>La mayoría de ellos, que la referencia explica</translation>
    </message>
    <message>
        <source>Those like no other original</source>
        <translation>Los que no se parecen a ningún otro original</translation>
    </message>
    <message>
        <source>Originals with a released record too near</source>
        <translation>Originales con un registro publicado demasiado cerca</translation>
    </message>
    <message>
        <source>Excess of prediction distance</source>
        <translation>Exceso de distancia de predicción</translation>
    </message>
    <message>
        <source>Excess of prediction ambiguity</source>
        <translation>Exceso de ambigüedad de predicción</translation>
    </message>
    <message>
        <source>Excess of prediction uncertainty</source>
        <translation>Exceso de incertidumbre de predicción</translation>
    </message>
    <message>
        <source>Share of records re-identified</source>
        <translation>Parte de los registros reidentificados</translation>
    </message>
    <message>
        <source>AUC of prediction distance</source>
        <translation>AUC de la distancia de predicción</translation>
    </message>
    <message>
        <source>AUC of prediction ambiguity</source>
        <translation>AUC de la ambigüedad de predicción</translation>
    </message>
    <message>
        <source>AUC of prediction uncertainty</source>
        <translation>AUC de la incertidumbre de predicción</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>Referencia</translation>
    </message>
    <message>
        <source>Neighbours looked at (k)</source>
        <translation>Vecinos examinados (k)</translation>
    </message>
    <message>
        <source>Margin</source>
        <translation>Margen</translation>
    </message>
    <message>
        <source>Measure everybody</source>
        <translation>Medir a todos</translation>
    </message>
    <message>
        <source>Accuracy of released distances</source>
        <translation>Exactitud de las distancias publicadas</translation>
    </message>
    <message>
        <source>Measures</source>
        <translation>Medidas</translation>
    </message>
    <message>
        <source>Median of released / true distance</source>
        <translation>Mediana de distancia publicada / verdadera</translation>
    </message>
    <message>
        <source>Share of nearest neighbours kept</source>
        <translation>Parte de los vecinos más cercanos conservados</translation>
    </message>
    <message>
        <source>Rank correlation of distances</source>
        <translation>Correlación de rangos de las distancias</translation>
    </message>
    <message>
        <source>Largest excess over the true distance</source>
        <translation>Mayor exceso sobre la distancia verdadera</translation>
    </message>
    <message>
        <source>Combinations tried</source>
        <translation>Combinaciones probadas</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>Puntos</translation>
    </message>
    <message>
        <source>Released distance matrix</source>
        <translation>Matriz de distancias publicada</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Clave</translation>
    </message>
    <message>
        <source>Numbers of reference sets (d) to try</source>
        <translation>Números de conjuntos de referencia (d) que probar</translation>
    </message>
    <message>
        <source>Sizes of reference sets (k) to try</source>
        <translation>Tamaños de conjuntos de referencia (k) que probar</translation>
    </message>
    <message>
        <source>Repetitions</source>
        <translation>Repeticiones</translation>
    </message>
    <message>
        <source>Numeric attributes for Moran's I</source>
        <translation>Atributos numéricos para la I de Moran</translation>
    </message>
    <message>
        <source>Most records used</source>
        <translation>Máximo de registros usados</translation>
    </message>
    <message>
        <source>Equivalence classes</source>
        <translation>Clases de equivalencia</translation>
    </message>
    <message>
        <source>Class of each record</source>
        <translation>Clase de cada registro</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>Clases</translation>
    </message>
    <message>
        <source>What could be grouped</source>
        <translation>Lo que se podría agrupar</translation>
    </message>
    <message>
        <source>Records</source>
        <translation>Registros</translation>
    </message>
    <message>
        <source>Smallest class</source>
        <translation>Clase más pequeña</translation>
    </message>
    <message>
        <source>Unique records</source>
        <translation>Registros únicos</translation>
    </message>
    <message>
        <source>Records in small classes</source>
        <translation>Registros en clases pequeñas</translation>
    </message>
    <message>
        <source>Entropy (bits)</source>
        <translation>Entropía (bits)</translation>
    </message>
    <message>
        <source>Possible combinations</source>
        <translation>Combinaciones posibles</translation>
    </message>
    <message>
        <source>Fewest different sensitive values (l)</source>
        <translation>Menor número de valores sensibles distintos (l)</translation>
    </message>
    <message>
        <source>Farthest class (t)</source>
        <translation>Clase más alejada (t)</translation>
    </message>
    <message>
        <source>Records that share their sensitive value with all of their class</source>
        <translation>Registros cuyo valor sensible comparte toda su clase</translation>
    </message>
    <message>
        <source>Unique records that are unique in the population, at the least</source>
        <translation>Registros únicos que lo son en la población, al menos</translation>
    </message>
    <message>
        <source>Unique records that are unique in the population, at the most</source>
        <translation>Registros únicos que lo son en la población, a lo sumo</translation>
    </message>
    <message>
        <source>Chance that who agrees with a unique record is the person</source>
        <translation>Probabilidad de que quien concuerda con un registro único sea la persona</translation>
    </message>
    <message>
        <source>Quasi-identifiers</source>
        <translation>Cuasi-identificadores</translation>
    </message>
    <message>
        <source>Fewest records in a class (k)</source>
        <translation>Menor número de registros de una clase (k)</translation>
    </message>
    <message>
        <source>ISGP release</source>
        <translation>Publicación ISGP</translation>
    </message>
    <message>
        <source>Records released</source>
        <translation>Registros publicados</translation>
    </message>
    <message>
        <source>Graph-theoretic linkage attack</source>
        <translation>Ataque de enlace por grafos</translation>
    </message>
    <message>
        <source>Candidate matches</source>
        <translation>Enlaces candidatos</translation>
    </message>
    <message>
        <source>Agreeing pairs of them</source>
        <translation>Pares de ellos que concuerdan</translation>
    </message>
    <message>
        <source>Matches</source>
        <translation>Enlaces</translation>
    </message>
    <message>
        <source>Proven to be the most</source>
        <translation>Demostrado máximo</translation>
    </message>
    <message>
        <source>Matches in every maximum clique found</source>
        <translation>Enlaces en cada clique máximo encontrado</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Precisión</translation>
    </message>
    <message>
        <source>Recall</source>
        <translation>Exhaustividad</translation>
    </message>
    <message>
        <source>Linkage experiment</source>
        <translation>Experimento de enlace</translation>
    </message>
    <message>
        <source>Cells of the experiment</source>
        <translation>Celdas del experimento</translation>
    </message>
    <message>
        <source>Cells finished</source>
        <translation>Celdas terminadas</translation>
    </message>
    <message>
        <source>Highest mean precision</source>
        <translation>Mayor precisión media</translation>
    </message>
    <message>
        <source>Highest mean recall</source>
        <translation>Mayor exhaustividad media</translation>
    </message>
    <message>
        <source>Lipschitz embedding release</source>
        <translation>Publicación por inmersión de Lipschitz</translation>
    </message>
    <message>
        <source>Reference sets</source>
        <translation>Conjuntos de referencia</translation>
    </message>
    <message>
        <source>Number of reference sets (d)</source>
        <translation>Número de conjuntos de referencia (d)</translation>
    </message>
    <message>
        <source>Reference points in each set (k)</source>
        <translation>Puntos de referencia de cada conjunto (k)</translation>
    </message>
    <message>
        <source>Noise before the embedding (metres)</source>
        <translation>Ruido antes de la inmersión (metros)</translation>
    </message>
    <message>
        <source>Step of the released distances (metres)</source>
        <translation>Paso de las distancias publicadas (metros)</translation>
    </message>
    <message>
        <source>Area</source>
        <translation>Zona</translation>
    </message>
    <message>
        <source>Adaptive Voronoi masking</source>
        <translation>Enmascaramiento de Voronoi adaptativo</translation>
    </message>
    <message>
        <source>Merged areas</source>
        <translation>Zonas unidas</translation>
    </message>
    <message>
        <source>Least number of people in an area</source>
        <translation>Menor número de personas de una zona</translation>
    </message>
    <message>
        <source>Points alone in their area</source>
        <translation>Puntos solos en su zona</translation>
    </message>
    <message>
        <source>Points that went to a border</source>
        <translation>Puntos puestos en un límite</translation>
    </message>
    <message>
        <source>Points released outside of their area</source>
        <translation>Puntos publicados fuera de su zona</translation>
    </message>
    <message>
        <source>Points kept from an earlier release</source>
        <translation>Puntos conservados de una publicación anterior</translation>
    </message>
    <message>
        <source>Aggregation masking (grid, hexagons, zones, merged zones)</source>
        <translation>Enmascaramiento por agregación (cuadrícula, hexágonos, zonas, zonas unidas)</translation>
    </message>
    <message>
        <source>Areas with released points</source>
        <translation>Zonas con puntos publicados</translation>
    </message>
    <message>
        <source>Records alone in their area</source>
        <translation>Registros solos en su zona</translation>
    </message>
    <message>
        <source>Displacement masking</source>
        <translation>Enmascaramiento por desplazamiento</translation>
    </message>
    <message>
        <source>Exchange of addresses</source>
        <translation>Intercambio de direcciones</translation>
    </message>
    <message>
        <source>Location swapping</source>
        <translation>Permutación de lugares</translation>
    </message>
    <message>
        <source>Points in widened rings</source>
        <translation>Puntos en anillos ensanchados</translation>
    </message>
    <message>
        <source>Measures of a point mask</source>
        <translation>Medidas de un enmascaramiento de puntos</translation>
    </message>
    <message>
        <source>Street masking</source>
        <translation>Enmascaramiento por calles</translation>
    </message>
    <message>
        <source>Nodes of the street network</source>
        <translation>Nodos de la red de calles</translation>
    </message>
    <message>
        <source>Pieces of the street network</source>
        <translation>Trozos de la red de calles</translation>
    </message>
    <message>
        <source>Nodes to which a point could go</source>
        <translation>Nodos a los que podía ir un punto</translation>
    </message>
    <message>
        <source>Starts of a released point, at least</source>
        <translation>Orígenes de un punto publicado, al menos</translation>
    </message>
    <message>
        <source>Utility of anonymised microdata</source>
        <translation>Utilidad de microdatos anonimizados</translation>
    </message>
    <message>
        <source>Median difference of means</source>
        <translation>Diferencia mediana de las medias</translation>
    </message>
    <message>
        <source>Median difference of variances</source>
        <translation>Diferencia mediana de las varianzas</translation>
    </message>
    <message>
        <source>Median difference of correlations</source>
        <translation>Diferencia mediana de las correlaciones</translation>
    </message>
    <message>
        <source>Median difference of rank correlations</source>
        <translation>Diferencia mediana de las correlaciones de rangos</translation>
    </message>
    <message>
        <source>Largest difference of distributions</source>
        <translation>Mayor diferencia de distribuciones</translation>
    </message>
    <message>
        <source>Shift of the mean centre (metres)</source>
        <translation>Desplazamiento del centro medio (metros)</translation>
    </message>
    <message>
        <source>Median difference of Moran's I</source>
        <translation>Diferencia mediana de la I de Moran</translation>
    </message>
    <message>
        <source>Median overlap of intervals</source>
        <translation>Solape mediano de los intervalos</translation>
    </message>
    <message>
        <source>Least overlap of intervals</source>
        <translation>Menor solape de los intervalos</translation>
    </message>
    <message>
        <source>Largest AUC lost</source>
        <translation>Mayor pérdida de AUC</translation>
    </message>
    <message>
        <source>pMSE over its expectation, by fields</source>
        <translation>pMSE sobre su esperanza, por campos</translation>
    </message>
    <message>
        <source>pMSE over its expectation, by pairs</source>
        <translation>pMSE sobre su esperanza, por pares</translation>
    </message>
    <message>
        <source>Largest difference of mutual information (bits)</source>
        <translation>Mayor diferencia de información mutua (bits)</translation>
    </message>
    <message>
        <source>Median correlation of rates by zone</source>
        <translation>Correlación mediana de las tasas por zona</translation>
    </message>
    <message>
        <source>Noisy distance release</source>
        <translation>Publicación de distancias con ruido</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>Ruido</translation>
    </message>
    <message>
        <source>Size of the noise</source>
        <translation>Tamaño del ruido</translation>
    </message>
    <message>
        <source>Unit of the size</source>
        <translation>Unidad del tamaño</translation>
    </message>
    <message>
        <source>Reverse Voronoi masking</source>
        <translation>Invertir el enmascaramiento de Voronoi</translation>
    </message>
    <message>
        <source>Assigned candidates</source>
        <translation>Candidatos asignados</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>Vínculos</translation>
    </message>
    <message>
        <source>Records found</source>
        <translation>Registros encontrados</translation>
    </message>
    <message>
        <source>Expected number of right assignments</source>
        <translation>Número esperado de asignaciones correctas</translation>
    </message>
    <message>
        <source>Right assignments (with a key)</source>
        <translation>Asignaciones correctas (con una clave)</translation>
    </message>
    <message>
        <source>Share of right assignments (with a key)</source>
        <translation>Parte de asignaciones correctas (con una clave)</translation>
    </message>
    <message>
        <source>Masked points</source>
        <translation>Puntos enmascarados</translation>
    </message>
    <message>
        <source>Candidate places</source>
        <translation>Lugares candidatos</translation>
    </message>
    <message>
        <source>Field with the candidates' ids</source>
        <translation>Campo con los identificadores de los candidatos</translation>
    </message>
    <message>
        <source>Key, to score the attack</source>
        <translation>Clave, para puntuar el ataque</translation>
    </message>
    <message>
        <source>Tolerance (metres)</source>
        <translation>Tolerancia (metros)</translation>
    </message>
    <message>
        <source>Noise on the masked points (metres)</source>
        <translation>Ruido de los puntos enmascarados (metros)</translation>
    </message>
    <message>
        <source>Spectral anonymization</source>
        <translation>Anonimización espectral</translation>
    </message>
    <message>
        <source>Anonymised records</source>
        <translation>Registros anonimizados</translation>
    </message>
    <message>
        <source>Columns of numbers</source>
        <translation>Columnas de números</translation>
    </message>
    <message>
        <source>Records left out</source>
        <translation>Registros omitidos</translation>
    </message>
    <message>
        <source>Fewest records that share a mean</source>
        <translation>Menor número de registros que comparten una media</translation>
    </message>
    <message>
        <source>Area that points must lie in</source>
        <translation>Zona en la que deben estar los puntos</translation>
    </message>
    <message>
        <source>Synthetic records</source>
        <translation>Registros sintéticos</translation>
    </message>
    <message>
        <source>Synthetic records as Parquet</source>
        <translation>Registros sintéticos en Parquet</translation>
    </message>
    <message>
        <source>Records made</source>
        <translation>Registros creados</translation>
    </message>
    <message>
        <source>Regions</source>
        <translation>Regiones</translation>
    </message>
    <message>
        <source>Field with the regions' id</source>
        <translation>Campo con el identificador de las regiones</translation>
    </message>
    <message>
        <source>Field with the regions' group</source>
        <translation>Campo con el grupo de las regiones</translation>
    </message>
    <message>
        <source>Group of all regions</source>
        <translation>Grupo de todas las regiones</translation>
    </message>
    <message>
        <source>Shares of the categories, JSON</source>
        <translation>Partes de las categorías, JSON</translation>
    </message>
    <message>
        <source>Shares of the categories, table</source>
        <translation>Partes de las categorías, tabla</translation>
    </message>
    <message>
        <source>Quasi-identifiers to make</source>
        <translation>Cuasi-identificadores que crear</translation>
    </message>
    <message>
        <source>Fewest residents of a region</source>
        <translation>Menor número de habitantes de una región</translation>
    </message>
    <message>
        <source>Most residents of a region</source>
        <translation>Mayor número de habitantes de una región</translation>
    </message>
    <message>
        <source>Field with the residents of each region</source>
        <translation>Campo con los habitantes de cada región</translation>
    </message>
    <message>
        <source>Voronoi-based aggregation</source>
        <translation>Agregación de Voronoi (VBAS)</translation>
    </message>
    <message>
        <source>Number of sites by</source>
        <translation>Número de sitios según</translation>
    </message>
    <message>
        <source>Location of the sites</source>
        <translation>Ubicación de los sitios</translation>
    </message>
    <message>
        <source>Further attributes to release (none chosen: none)</source>
        <translation>Otros atributos que publicar (ninguno elegido: ninguno)</translation>
    </message>
    <message>
        <source>Compare aggregations</source>
        <translation>Comparar agregaciones</translation>
    </message>
    <message>
        <source>Combinations</source>
        <translation>Combinaciones</translation>
    </message>
    <message>
        <source>Smallest share of suppressed records</source>
        <translation>Menor parte de registros suprimidos</translation>
    </message>
    <message>
        <source>Numbers of sites by</source>
        <translation>Números de sitios según</translation>
    </message>
    <message>
        <source>Locations of the sites</source>
        <translation>Ubicaciones de los sitios</translation>
    </message>
    <message>
        <source>Verify a release</source>
        <translation>Verificar una publicación</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Archivos</translation>
    </message>
    <message>
        <source>Figures of the report of this check</source>
        <translation>Cifras del informe de esta comprobación</translation>
    </message>
    <message>
        <source>Files as they were judged</source>
        <translation>Archivos tal como fueron juzgados</translation>
    </message>
    <message>
        <source>Files that have changed</source>
        <translation>Archivos que han cambiado</translation>
    </message>
    <message>
        <source>Files that are missing</source>
        <translation>Archivos que faltan</translation>
    </message>
    <message>
        <source>Files that nobody has judged</source>
        <translation>Archivos que nadie ha juzgado</translation>
    </message>
    <message>
        <source>Private files</source>
        <translation>Archivos privados</translation>
    </message>
    <message>
        <source>Figures of the report (JSON)</source>
        <translation>Cifras del informe (JSON)</translation>
    </message>
    <message>
        <source>Folder to be given away</source>
        <translation>Carpeta que se va a entregar</translation>
    </message>
    <message>
        <source>Voronoi masking</source>
        <translation>Enmascaramiento de Voronoi</translation>
    </message>
    <message>
        <source>Voronoi cells</source>
        <translation>Celdas de Voronoi</translation>
    </message>
    <message>
        <source>Singletons</source>
        <translation>Puntos aislados</translation>
    </message>
    <message>
        <source>Paired points</source>
        <translation>Puntos emparejados</translation>
    </message>
    <message>
        <source>Points that did not move</source>
        <translation>Puntos que no se movieron</translation>
    </message>
    <message>
        <source>a layer in memory: no bytes to hash until it is saved</source>
        <translation>una capa en memoria: no hay bytes que resumir hasta que se guarde</translation>
    </message>
    <message>
        <source>a table in a database: no bytes of its own to hash</source>
        <translation>una tabla en una base de datos: sin bytes propios que resumir</translation>
    </message>
    <message>
        <source>not taken</source>
        <translation>no calculado</translation>
    </message>
    <message>
        <source>{title} ({algorithm}), begun {begun}, this report written {written}.</source>
        <translation>{title} ({algorithm}), comenzado el {begun}, informe escrito el {written}.</translation>
    </message>
    <message>
        <source>Made with {programs}.</source>
        <translation>Hecho con {programs}.</translation>
    </message>
    <message>
        <source>Decided by people, not by this program</source>
        <translation>Decidido por personas, no por este programa</translation>
    </message>
    <message>
        <source>Released or withheld</source>
        <translation>Publicado o retenido</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Por qué</translation>
    </message>
    <message>
        <source>Given to, and for what</source>
        <translation>Entregado a quién, y para qué</translation>
    </message>
    <message>
        <source>Name and office</source>
        <translation>Nombre y servicio</translation>
    </message>
    <message>
        <source>Date and signature</source>
        <translation>Fecha y firma</translation>
    </message>
    <message>
        <source>Audit</source>
        <translation>Auditoría</translation>
    </message>
    <message>
        <source>Parameter</source>
        <translation>Parámetro</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>Significado</translation>
    </message>
    <message>
        <source>Value as it was used</source>
        <translation>Valor tal como se usó</translation>
    </message>
    <message>
        <source>Given</source>
        <translation>Dado</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>sí</translation>
    </message>
    <message>
        <source>default</source>
        <translation>por defecto</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parámetros</translation>
    </message>
    <message>
        <source>given, and not told here: it is secret</source>
        <translation>dado, y no dicho aquí: es secreto</translation>
    </message>
    <message>
        <source>none: random numbers came from the operating system</source>
        <translation>ninguna: los números aleatorios vienen del sistema operativo</translation>
    </message>
    <message>
        <source>not told here</source>
        <translation>no dicho aquí</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>vacío</translation>
    </message>
    <message>
        <source>no</source>
        <translation>no</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Entradas</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Entrada</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Capa</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Desde</translation>
    </message>
    <message>
        <source>Filter, selection</source>
        <translation>Filtro, selección</translation>
    </message>
    <message>
        <source>Fingerprints of the inputs</source>
        <translation>Huellas de las entradas</translation>
    </message>
    <message>
        <source>the geometries that were read, in their order</source>
        <translation>las geometrías leídas, en su orden</translation>
    </message>
    <message>
        <source>what was read, in its order: geometries and {fields}</source>
        <translation>lo que se leyó, en su orden: geometrías y {fields}</translation>
    </message>
    <message>
        <source>{place}, layer {layer}</source>
        <translation>{place}, capa {layer}</translation>
    </message>
    <message>
        <source>selected features only</source>
        <translation>solo objetos seleccionados</translation>
    </message>
    <message>
        <source>the first {count:,} at most</source>
        <translation>los primeros {count:,} a lo sumo</translation>
    </message>
    <message>
        <source>with changes that were not saved</source>
        <translation>con cambios no guardados</translation>
    </message>
    <message>
        <source>none</source>
        <translation>ninguno</translation>
    </message>
    <message>
        <source>written last</source>
        <translation>escrito al final</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>Salidas</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Qué</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Archivo</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>SHA-256</source>
        <translation>SHA-256</translation>
    </message>
    <message>
        <source>no Python bindings</source>
        <translation>sin enlaces de Python</translation>
    </message>
    <message>
        <source>System</source>
        <translation>Sistema</translation>
    </message>
    <message>
        <source>Mask points</source>
        <translation>Enmascarar puntos</translation>
    </message>
    <message>
        <source>Aggregate areas</source>
        <translation>Agregar zonas</translation>
    </message>
    <message>
        <source>Release distances</source>
        <translation>Publicar distancias</translation>
    </message>
    <message>
        <source>Attack a release</source>
        <translation>Atacar una publicación</translation>
    </message>
    <message>
        <source>Microdata</source>
        <translation>Microdatos</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Herramientas</translation>
    </message>
    <message>
        <source>the plugin's issue tracker</source>
        <translation>el gestor de incidencias del complemento</translation>
    </message>
    <message>
        <source>When to use it</source>
        <translation>Cuándo usarlo</translation>
    </message>
    <message>
        <source>What comes out</source>
        <translation>Qué sale</translation>
    </message>
    <message>
        <source>Mind</source>
        <translation>Atención</translation>
    </message>
    <message>
        <source>In words: {words}.</source>
        <translation>En palabras: {words}.</translation>
    </message>
    <message>
        <source>Release: {description}</source>
        <translation>Publicación: {description}</translation>
    </message>
    <message>
        <source>Private: {description}</source>
        <translation>Privado: {description}</translation>
    </message>
    <message>
        <source>Figures of the report</source>
        <translation>Cifras del informe</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Informe</translation>
    </message>
    <message>
        <source>Seed of the random numbers</source>
        <translation>Semilla de los números aleatorios</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>Métrica</translation>
    </message>
    <message>
        <source>Unit of the matrix</source>
        <translation>Unidad de la matriz</translation>
    </message>
    <message>
        <source>Used only where {conditions}.</source>
        <translation>Se usa solo si {conditions}.</translation>
    </message>
    <message>
        <source>“{parameter}” ({name}) is left empty</source>
        <translation>«{parameter}» ({name}) está vacío</translation>
    </message>
    <message>
        <source>“{parameter}” ({name}) is given</source>
        <translation>«{parameter}» ({name}) está dado</translation>
    </message>
    <message>
        <source>“{parameter}” ({name}) is checked</source>
        <translation>«{parameter}» ({name}) está marcado</translation>
    </message>
    <message>
        <source>“{parameter}” ({name}) is not checked</source>
        <translation>«{parameter}» ({name}) no está marcado</translation>
    </message>
    <message>
        <source>“{parameter}” ({name}) is {options}</source>
        <translation>«{parameter}» ({name}) es {options}</translation>
    </message>
    <message>
        <source>“{parameter}” ({name}) is other than {options}</source>
        <translation>«{parameter}» ({name}) no es {options}</translation>
    </message>
    <message>
        <source>“{parameter}” ({name}) was given, and is not used.</source>
        <translation>«{parameter}» ({name}) fue dado, y no se usa.</translation>
    </message>
    <message>
        <source>All attacks together</source>
        <translation>Todos los ataques juntos</translation>
    </message>
    <message>
        <source>All attacks, side by side</source>
        <translation>Todos los ataques, uno junto a otro</translation>
    </message>
    <message>
        <source>People who live near each other</source>
        <translation>Personas que viven cerca unas de otras</translation>
    </message>
    <message>
        <source>Likelihood, by a map of the records</source>
        <translation>Verosimilitud, mediante un mapa de los registros</translation>
    </message>
    <message>
        <source>Each record's distances to all others</source>
        <translation>Las distancias de cada registro a todos los demás</translation>
    </message>
    <message>
        <source>Maps of neighbourhoods (ISGP)</source>
        <translation>Mapas de vecindades (ISGP)</translation>
    </message>
    <message>
        <source>Largest set whose distances agree (clique)</source>
        <translation>Mayor conjunto cuyas distancias concuerdan (clique)</translation>
    </message>
    <message>
        <source>Embedding by reference sets (Lipschitz)</source>
        <translation>Inmersión por conjuntos de referencia (Lipschitz)</translation>
    </message>
    <message>
        <source>Noise on coordinates</source>
        <translation>Ruido en las coordenadas</translation>
    </message>
    <message>
        <source>Noise on distances</source>
        <translation>Ruido en las distancias</translation>
    </message>
    <message>
        <source>Grid points in common (ISGP)</source>
        <translation>Puntos de cuadrícula comunes (ISGP)</translation>
    </message>
    <message>
        <source>A tolerance of my own</source>
        <translation>Una tolerancia propia</translation>
    </message>
    <message>
        <source>About as many records each (balanced density)</source>
        <translation>Más o menos los mismos registros cada una (balanced density)</translation>
    </message>
    <message>
        <source>Moved by the search of the paper (ADC)</source>
        <translation>Movidos por la búsqueda del artículo (ADC)</translation>
    </message>
    <message>
        <source>Moved to suppress fewest records</source>
        <translation>Movidos para suprimir los menos registros</translation>
    </message>
    <message>
        <source>At random</source>
        <translation>Al azar</translation>
    </message>
    <message>
        <source>Max-p regions, to compare</source>
        <translation>Regiones max-p, para comparar</translation>
    </message>
    <message>
        <source>In the middle of the people (k-means)</source>
        <translation>En medio de las personas (k-means)</translation>
    </message>
    <message>
        <source>Neighbours joined, most compact (Ward)</source>
        <translation>Vecinos unidos, lo más compacto (Ward)</translation>
    </message>
    <message>
        <source>Neighbours joined, most records saved</source>
        <translation>Vecinos unidos, los más registros salvados</translation>
    </message>
    <message>
        <source>The best of several</source>
        <translation>Lo mejor de varios</translation>
    </message>
    <message>
        <source>Every record</source>
        <translation>Cada registro</translation>
    </message>
    <message>
        <source>99 records of 100</source>
        <translation>99 registros de 100</translation>
    </message>
    <message>
        <source>The mean of the people</source>
        <translation>La media de las personas</translation>
    </message>
    <message>
        <source>Both: the worse of the two decides</source>
        <translation>Ambos: decide el peor de los dos</translation>
    </message>
    <message>
        <source>Who lives there?</source>
        <translation>¿Quién vive allí?</translation>
    </message>
    <message>
        <source>Which record is hers?</source>
        <translation>¿Qué registro es el de ella?</translation>
    </message>
    <message>
        <source>A probability for each category</source>
        <translation>Una probabilidad para cada categoría</translation>
    </message>
    <message>
        <source>The likeliest category</source>
        <translation>La categoría más probable</translation>
    </message>
    <message>
        <source>One drawn at random, by the probabilities</source>
        <translation>Una sorteada, según las probabilidades</translation>
    </message>
    <message>
        <source>Not needed</source>
        <translation>No es necesario</translation>
    </message>
    <message>
        <source>Needed; islands stand alone</source>
        <translation>Necesario; las islas quedan solas</translation>
    </message>
    <message>
        <source>Needed; islands are joined to the nearest</source>
        <translation>Necesario; las islas se unen a lo más cercano</translation>
    </message>
    <message>
        <source>as they are</source>
        <translation>tal cual</translation>
    </message>
    <message>
        <source>by month</source>
        <translation>por mes</translation>
    </message>
    <message>
        <source>by quarter</source>
        <translation>por trimestre</translation>
    </message>
    <message>
        <source>by year</source>
        <translation>por año</translation>
    </message>
    <message>
        <source>With the distributions of the originals</source>
        <translation>Con las distribuciones de los originales</translation>
    </message>
    <message>
        <source>As in the paper</source>
        <translation>Como en el artículo</translation>
    </message>
    <message>
        <source>With their distributions hardly smoothed</source>
        <translation>Con sus distribuciones apenas suavizadas</translation>
    </message>
    <message>
        <source>Laplace</source>
        <translation>Laplace</translation>
    </message>
    <message>
        <source>As they come</source>
        <translation>Tal como resulten</translation>
    </message>
    <message>
        <source>Each within one earlier area</source>
        <translation>Cada una dentro de una zona anterior</translation>
    </message>
    <message>
        <source>Each of whole earlier areas</source>
        <translation>Cada una de zonas anteriores enteras</translation>
    </message>
    <message>
        <source>The earlier areas again</source>
        <translation>Otra vez las zonas anteriores</translation>
    </message>
    <message>
        <source>Area: every place is as likely</source>
        <translation>Superficie: cada lugar es igual de probable</translation>
    </message>
    <message>
        <source>Distance: every distance is as likely</source>
        <translation>Distancia: cada distancia es igual de probable</translation>
    </message>
    <message>
        <source>West of Canada</source>
        <translation>Oeste de Canadá</translation>
    </message>
    <message>
        <source>Centre of Canada</source>
        <translation>Centro de Canadá</translation>
    </message>
    <message>
        <source>East of Canada</source>
        <translation>Este de Canadá</translation>
    </message>
    <message>
        <source>My own, with A and B</source>
        <translation>Uno propio, con A y B</translation>
    </message>
    <message>
        <source>Widen the ring</source>
        <translation>Ensanchar el anillo</translation>
    </message>
    <message>
        <source>Withhold the record</source>
        <translation>Retener el registro</translation>
    </message>
    <message>
        <source>Disc: anywhere within a distance</source>
        <translation>Disco: en cualquier parte hasta una distancia</translation>
    </message>
    <message>
        <source>Donut: between two distances</source>
        <translation>Anillo: entre dos distancias</translation>
    </message>
    <message>
        <source>Gaussian: mostly near, seldom far</source>
        <translation>Gaussiana: casi siempre cerca, pocas veces lejos</translation>
    </message>
    <message>
        <source>Bimodal: mostly about one distance</source>
        <translation>Bimodal: casi siempre en torno a una distancia</translation>
    </message>
    <message>
        <source>Planar Laplace noise (geo-indistinguishability)</source>
        <translation>Ruido de Laplace plano (geoindistinguibilidad)</translation>
    </message>
    <message>
        <source>By the same ids</source>
        <translation>Por los mismos identificadores</translation>
    </message>
    <message>
        <source>By distances and attributes, not by ids</source>
        <translation>Por distancias y atributos, sin identificadores</translation>
    </message>
    <message>
        <source>Squares</source>
        <translation>Cuadrados</translation>
    </message>
    <message>
        <source>Hexagons</source>
        <translation>Hexágonos</translation>
    </message>
    <message>
        <source>Zones of a layer</source>
        <translation>Zonas de una capa</translation>
    </message>
    <message>
        <source>Zones, merged until each holds enough</source>
        <translation>Zonas, unidas hasta que cada una tenga suficiente</translation>
    </message>
    <message>
        <source>Areas round sites among addresses</source>
        <translation>Zonas en torno a sitios entre las direcciones</translation>
    </message>
    <message>
        <source>Exchange with partners</source>
        <translation>Intercambio con compañeros</translation>
    </message>
    <message>
        <source>Cells of addresses</source>
        <translation>Celdas de direcciones</translation>
    </message>
    <message>
        <source>Groups of records</source>
        <translation>Grupos de registros</translation>
    </message>
    <message>
        <source>Labels of each record</source>
        <translation>Etiquetas de cada registro</translation>
    </message>
    <message>
        <source>Near distances only</source>
        <translation>Solo distancias cercanas</translation>
    </message>
    <message>
        <source>Spectral swapping</source>
        <translation>Permutación espectral</translation>
    </message>
    <message>
        <source>Spectral averages of groups (RHS)</source>
        <translation>Medias espectrales de grupos (RHS)</translation>
    </message>
    <message>
        <source>Swapping of values</source>
        <translation>Permutación de valores</translation>
    </message>
    <message>
        <source>Averages of groups (RHS)</source>
        <translation>Medias de grupos (RHS)</translation>
    </message>
    <message>
        <source>Data shuffling</source>
        <translation>Data shuffling</translation>
    </message>
    <message>
        <source>Noise on values</source>
        <translation>Ruido en los valores</translation>
    </message>
    <message>
        <source>Microaggregation (MDAV)</source>
        <translation>Microagregación (MDAV)</translation>
    </message>
    <message>
        <source>Gaussian copula</source>
        <translation>Cópula gaussiana</translation>
    </message>
    <message>
        <source>On the ellipsoid (geodesic)</source>
        <translation>Sobre el elipsoide (geodésica)</translation>
    </message>
    <message>
        <source>On a sphere (great circle)</source>
        <translation>Sobre una esfera (círculo máximo)</translation>
    </message>
    <message>
        <source>In the plane of the layer</source>
        <translation>En el plano de la capa</translation>
    </message>
    <message>
        <source>Kept: that a value is missing is a value</source>
        <translation>Se conservan: que falte un valor es un valor</translation>
    </message>
    <message>
        <source>Records with missing values are left out</source>
        <translation>Los registros con valores que faltan se omiten</translation>
    </message>
    <message>
        <source>Gaussian, on the coordinates</source>
        <translation>Gaussiano, en las coordenadas</translation>
    </message>
    <message>
        <source>Gaussian, on each distance</source>
        <translation>Gaussiano, en cada distancia</translation>
    </message>
    <message>
        <source>Laplace, on each distance</source>
        <translation>Laplace, en cada distancia</translation>
    </message>
    <message>
        <source>None: exact distances</source>
        <translation>Ninguno: distancias exactas</translation>
    </message>
    <message>
        <source>NULL is a category of its own</source>
        <translation>NULL es una categoría propia</translation>
    </message>
    <message>
        <source>Stop where there is one</source>
        <translation>Detenerse donde haya uno</translation>
    </message>
    <message>
        <source>Fewest suppressed records</source>
        <translation>Los menos registros suprimidos</translation>
    </message>
    <message>
        <source>Most compact areas</source>
        <translation>Zonas más compactas</translation>
    </message>
    <message>
        <source>Least entropy loss</source>
        <translation>La menor pérdida de entropía</translation>
    </message>
    <message>
        <source>All three alike</source>
        <translation>Los tres por igual</translation>
    </message>
    <message>
        <source>An address</source>
        <translation>Una dirección</translation>
    </message>
    <message>
        <source>A random place beside an address</source>
        <translation>Un lugar al azar junto a una dirección</translation>
    </message>
    <message>
        <source>The nearest street crossing</source>
        <translation>El cruce de calles más cercano</translation>
    </message>
    <message>
        <source>The centre</source>
        <translation>El centro</translation>
    </message>
    <message>
        <source>A random place</source>
        <translation>Un lugar al azar</translation>
    </message>
    <message>
        <source>Distances</source>
        <translation>Distancias</translation>
    </message>
    <message>
        <source>nearest neighbours</source>
        <translation>vecinos más cercanos</translation>
    </message>
    <message>
        <source>All combinations alike</source>
        <translation>Todas las combinaciones por igual</translation>
    </message>
    <message>
        <source>The better half again, and so on</source>
        <translation>La mejor mitad otra vez, y así sucesivamente</translation>
    </message>
    <message>
        <source>Metres</source>
        <translation>Metros</translation>
    </message>
    <message>
        <source>Degrees</source>
        <translation>Grados</translation>
    </message>
    <message>
        <source>GAPS model, by possible combinations</source>
        <translation>Modelo GAPS, por combinaciones posibles</translation>
    </message>
    <message>
        <source>GAPS model, by entropy</source>
        <translation>Modelo GAPS, por entropía</translation>
    </message>
    <message>
        <source>A number of my own</source>
        <translation>Un número propio</translation>
    </message>
    <message>
        <source>A distance, the same for all</source>
        <translation>Una distancia, la misma para todos</translation>
    </message>
    <message>
        <source>Number of addresses nearby</source>
        <translation>Número de direcciones cercanas</translation>
    </message>
    <message>
        <source>Number of people nearby, by areas</source>
        <translation>Número de personas cercanas, por zonas</translation>
    </message>
    <message>
        <source>Number of people nearby, by a raster</source>
        <translation>Número de personas cercanas, por un ráster</translation>
    </message>
    <message>
        <source>Kilometres</source>
        <translation>Kilómetros</translation>
    </message>
    <message>
        <source>Addresses</source>
        <translation>Direcciones</translation>
    </message>
    <message>
        <source>Dwellings</source>
        <translation>Viviendas</translation>
    </message>
    <message>
        <source>Stop, and name them</source>
        <translation>Detenerse y nombrarlos</translation>
    </message>
    <message>
        <source>Leave them out</source>
        <translation>Omitirlos</translation>
    </message>
    <message>
        <source>How far points move</source>
        <translation>Cuánto se mueven los puntos</translation>
    </message>
    <message>
        <source>Pattern (Ripley's L)</source>
        <translation>Estructura (L de Ripley)</translation>
    </message>
    <message>
        <source>Density (kernel)</source>
        <translation>Densidad (núcleo)</translation>
    </message>
    <message>
        <source>Clusters (scan statistic)</source>
        <translation>Conglomerados (estadística de barrido)</translation>
    </message>
    <message>
        <source>Distances of two records</source>
        <translation>Distancias de dos registros</translation>
    </message>
    <message>
        <source>Distances to the nearest record</source>
        <translation>Distancias al registro más cercano</translation>
    </message>
    <message>
        <source>Published</source>
        <translation>Publicada</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>Omitido</translation>
    </message>
    <message>
        <source>Address list</source>
        <translation>Lista de direcciones</translation>
    </message>
    <message>
        <source>Dwellings or people at an address</source>
        <translation>Viviendas o personas en una dirección</translation>
    </message>
    <message>
        <source>Limit of an adversary's probability</source>
        <translation>Límite de la probabilidad de un adversario</translation>
    </message>
    <message>
        <source>The limit is on</source>
        <translation>El límite se aplica a</translation>
    </message>
    <message>
        <source>Adversary</source>
        <translation>Adversario</translation>
    </message>
    <message>
        <source>Belief about addresses beforehand, times that of the list</source>
        <translation>Creencia previa sobre las direcciones, veces la de la lista</translation>
    </message>
    <message>
        <source>Releases of the same people</source>
        <translation>Publicaciones de las mismas personas</translation>
    </message>
    <message>
        <source>Each release draws anew</source>
        <translation>Cada publicación sortea de nuevo</translation>
    </message>
    <message>
        <source>Attributes that an adversary knows</source>
        <translation>Atributos que conoce un adversario</translation>
    </message>
    <message>
        <source>What has to be kept</source>
        <translation>Lo que hay que conservar</translation>
    </message>
    <message>
        <source>Masks to try</source>
        <translation>Enmascaramientos que probar</translation>
    </message>
    <message>
        <source>Streets at hand</source>
        <translation>Calles disponibles</translation>
    </message>
    <message>
        <source>Zones at hand</source>
        <translation>Zonas disponibles</translation>
    </message>
    <message>
        <source>A record may miss its address by (metres)</source>
        <translation>Un registro puede distar de su dirección (metros)</translation>
    </message>
    <message>
        <source>Masks tried</source>
        <translation>Enmascaramientos probados</translation>
    </message>
    <message>
        <source>Units of the hierarchy</source>
        <translation>Unidades de la jerarquía</translation>
    </message>
    <message>
        <source>Areas</source>
        <translation>Zonas</translation>
    </message>
    <message>
        <source>Areas that release nothing</source>
        <translation>Zonas que no publican nada</translation>
    </message>
    <message>
        <source>Fewest records of an area</source>
        <translation>Menor número de registros de una zona</translation>
    </message>
    <message>
        <source>Areas in several pieces</source>
        <translation>Zonas en varios trozos</translation>
    </message>
    <message>
        <source>Records as a Parquet file, or as a folder of them</source>
        <translation>Registros como archivo Parquet, o como carpeta de ellos</translation>
    </message>
    <message>
        <source>Records' field with the region's id</source>
        <translation>Campo de los registros con el identificador de la región</translation>
    </message>
    <message>
        <source>Declared categories</source>
        <translation>Categorías declaradas</translation>
    </message>
    <message>
        <source>Groups of numbers</source>
        <translation>Grupos de números</translation>
    </message>
    <message>
        <source>NULL in quasi-identifiers</source>
        <translation>NULL en los cuasi-identificadores</translation>
    </message>
    <message>
        <source>Field with the person's id, where people have several records</source>
        <translation>Campo con el identificador de la persona, si tiene varios registros</translation>
    </message>
    <message>
        <source>Records of unknown regions</source>
        <translation>Registros de regiones desconocidas</translation>
    </message>
    <message>
        <source>GAPS model</source>
        <translation>Modelo GAPS</translation>
    </message>
    <message>
        <source>A of a custom GAPS model</source>
        <translation>A de un modelo GAPS propio</translation>
    </message>
    <message>
        <source>B of a custom GAPS model</source>
        <translation>B de un modelo GAPS propio</translation>
    </message>
    <message>
        <source>Number of sites</source>
        <translation>Número de sitios</translation>
    </message>
    <message>
        <source>Study area</source>
        <translation>Zona de estudio</translation>
    </message>
    <message>
        <source>Fields with numbers of people, where a row stands for several</source>
        <translation>Campos con números de personas, donde una fila representa a varias</translation>
    </message>
    <message>
        <source>Regression that analysts would run</source>
        <translation>Regresión que harían los analistas</translation>
    </message>
    <message>
        <source>Zones</source>
        <translation>Zonas de contención</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>Método</translation>
    </message>
    <message>
        <source>Fewest records in a group (k)</source>
        <translation>Menor número de registros de un grupo (k)</translation>
    </message>
    <message>
        <source>Share of noise (b)</source>
        <translation>Parte de ruido (b)</translation>
    </message>
    <message>
        <source>Categories are released as</source>
        <translation>Las categorías se publican como</translation>
    </message>
    <message>
        <source>Values are decoded</source>
        <translation>Los valores se descodifican</translation>
    </message>
    <message>
        <source>Aggregated areas</source>
        <translation>Zonas agregadas</translation>
    </message>
    <message>
        <source>Sites</source>
        <translation>Sitios</translation>
    </message>
    <message>
        <source>Regions and their areas</source>
        <translation>Regiones y sus zonas</translation>
    </message>
    <message>
        <source>Suppressed records</source>
        <translation>Registros suprimidos</translation>
    </message>
    <message>
        <source>Share of suppressed records</source>
        <translation>Parte de los registros suprimidos</translation>
    </message>
    <message>
        <source>Smallest class released</source>
        <translation>Clase más pequeña publicada</translation>
    </message>
    <message>
        <source>Compactness</source>
        <translation>Compacidad</translation>
    </message>
    <message>
        <source>Discernibility</source>
        <translation>Discernibilidad</translation>
    </message>
    <message>
        <source>Entropy loss</source>
        <translation>Pérdida de entropía</translation>
    </message>
    <message>
        <source>Classes below K by subtraction</source>
        <translation>Clases por debajo de K por sustracción</translation>
    </message>
    <message>
        <source>Largest size of an area (km²)</source>
        <translation>Mayor superficie de una zona (km²)</translation>
    </message>
    <message>
        <source>another tool</source>
        <translation>otra herramienta</translation>
    </message>
    <message>
        <source>Mask file</source>
        <translation>Archivo de enmascaramiento</translation>
    </message>
    <message>
        <source>Key, to score the attack and to try the second adversary</source>
        <translation>Clave, para puntuar el ataque y probar el segundo adversario</translation>
    </message>
    <message>
        <source>People who are known to be in the file</source>
        <translation>Personas de las que se sabe que están en el archivo</translation>
    </message>
    <message>
        <source>Attributes that he knows (of the masked points)</source>
        <translation>Atributos que conoce (de los puntos enmascarados)</translation>
    </message>
    <message>
        <source>The same attributes in the address list</source>
        <translation>Los mismos atributos en la lista de direcciones</translation>
    </message>
    <message>
        <source>Attributes may differ by</source>
        <translation>Los atributos pueden diferir en</translation>
    </message>
    <message>
        <source>Population</source>
        <translation>Población</translation>
    </message>
    <message>
        <source>Field with the number of people</source>
        <translation>Campo con el número de personas</translation>
    </message>
    <message>
        <source>Population raster</source>
        <translation>Ráster de población</translation>
    </message>
    <message>
        <source>Areas to avoid</source>
        <translation>Zonas que evitar</translation>
    </message>
    <message>
        <source>Towns</source>
        <translation>Ciudades</translation>
    </message>
    <message>
        <source>Streets</source>
        <translation>Calles</translation>
    </message>
    <message>
        <source>Crossings</source>
        <translation>Cruces</translation>
    </message>
    <message>
        <source>Secret file, to play who knows the groups</source>
        <translation>Archivo secreto, para hacer de quien conoce los grupos</translation>
    </message>
    <message>
        <source>Records whose addresses are shown</source>
        <translation>Registros cuyas direcciones se muestran</translation>
    </message>
    <message>
        <source>Records whose addresses are shown, by their ids</source>
        <translation>Registros cuyas direcciones se muestran, por sus identificadores</translation>
    </message>
    <message>
        <source>Further releases of the same people</source>
        <translation>Otras publicaciones de las mismas personas</translation>
    </message>
    <message>
        <source>Mask files of the further releases</source>
        <translation>Archivos de enmascaramiento de las otras publicaciones</translation>
    </message>
    <message>
        <source>Field that links the releases</source>
        <translation>Campo que enlaza las publicaciones</translation>
    </message>
    <message>
        <source>Keys of the further releases</source>
        <translation>Claves de las otras publicaciones</translation>
    </message>
    <message>
        <source>Coordinates were rounded to (units of the layer)</source>
        <translation>Las coordenadas se redondearon a (unidades de la capa)</translation>
    </message>
    <message>
        <source>All points together</source>
        <translation>Todos los puntos juntos</translation>
    </message>
    <message>
        <source>Public points before another tool's mask</source>
        <translation>Puntos públicos antes del enmascaramiento de otra herramienta</translation>
    </message>
    <message>
        <source>The same points after it</source>
        <translation>Los mismos puntos después</translation>
    </message>
    <message>
        <source>Field that names the points of {name}</source>
        <translation>Campo que identifica los puntos de {name}</translation>
    </message>
    <message>
        <source>Mask file of the points</source>
        <translation>Archivo de enmascaramiento de los puntos</translation>
    </message>
    <message>
        <source>Address list of the mask</source>
        <translation>Lista de direcciones del enmascaramiento</translation>
    </message>
    <message>
        <source>Original points, in place of a key</source>
        <translation>Puntos originales, en lugar de una clave</translation>
    </message>
    <message>
        <source>Field with the ids of the originals</source>
        <translation>Campo con los identificadores de los originales</translation>
    </message>
    <message>
        <source>Field with the same ids in the release</source>
        <translation>Campo con los mismos identificadores en la publicación</translation>
    </message>
    <message>
        <source>Guesses</source>
        <translation>Conjeturas</translation>
    </message>
    <message>
        <source>Addresses that explain the riskiest records</source>
        <translation>Direcciones que explican los registros de mayor riesgo</translation>
    </message>
    <message>
        <source>Likeliest record of each person</source>
        <translation>Registro más probable de cada persona</translation>
    </message>
    <message>
        <source>People found by their place</source>
        <translation>Personas encontradas por su lugar</translation>
    </message>
    <message>
        <source>Share found by place, lower end</source>
        <translation>Parte encontrada por el lugar, extremo inferior</translation>
    </message>
    <message>
        <source>Share found by place, upper end</source>
        <translation>Parte encontrada por el lugar, extremo superior</translation>
    </message>
    <message>
        <source>Share found by the nearest address</source>
        <translation>Parte encontrada por la dirección más cercana</translation>
    </message>
    <message>
        <source>Share found by a random address</source>
        <translation>Parte encontrada por una dirección al azar</translation>
    </message>
    <message>
        <source>Share of guesses that are right of another record</source>
        <translation>Parte de las conjeturas que aciertan con otro registro</translation>
    </message>
    <message>
        <source>Share of records above the limit</source>
        <translation>Parte de los registros por encima del límite</translation>
    </message>
    <message>
        <source>Mean of his largest probability of a place</source>
        <translation>Media de su mayor probabilidad de un lugar</translation>
    </message>
    <message>
        <source>Largest probability of a place</source>
        <translation>Mayor probabilidad de un lugar</translation>
    </message>
    <message>
        <source>Median effective number of addresses</source>
        <translation>Número efectivo mediano de direcciones</translation>
    </message>
    <message>
        <source>People whose record is found</source>
        <translation>Personas cuyo registro se encuentra</translation>
    </message>
    <message>
        <source>Share of records found, lower end</source>
        <translation>Parte de registros encontrados, extremo inferior</translation>
    </message>
    <message>
        <source>Share of records found, upper end</source>
        <translation>Parte de registros encontrados, extremo superior</translation>
    </message>
    <message>
        <source>Share of people above the limit</source>
        <translation>Parte de las personas por encima del límite</translation>
    </message>
    <message>
        <source>Median effective number of records</source>
        <translation>Número efectivo mediano de registros</translation>
    </message>
    <message>
        <source>People of MEMBERS who are not in the file</source>
        <translation>Personas de MEMBERS que no están en el archivo</translation>
    </message>
    <message>
        <source>Mean of his largest probability of a record</source>
        <translation>Media de su mayor probabilidad de un registro</translation>
    </message>
    <message>
        <source>Largest probability of a record</source>
        <translation>Mayor probabilidad de un registro</translation>
    </message>
    <message>
        <source>Belief beforehand up to which the limit is kept</source>
        <translation>Creencia previa hasta la que se respeta el límite</translation>
    </message>
    <message>
        <source>Points that no address of the list explains</source>
        <translation>Puntos que ninguna dirección de la lista explica</translation>
    </message>
    <message>
        <source>Second places of the people of the list</source>
        <translation>Segundos lugares de las personas de la lista</translation>
    </message>
    <message>
        <source>Field of the second places that names the person</source>
        <translation>Campo de los segundos lugares que identifica a la persona</translation>
    </message>
    <message>
        <source>Field of the address list that names the person</source>
        <translation>Campo de la lista de direcciones que identifica a la persona</translation>
    </message>
    <message>
        <source>Law of the displacement</source>
        <translation>Ley del desplazamiento</translation>
    </message>
    <message>
        <source>Least distance (metres)</source>
        <translation>Menor distancia (metros)</translation>
    </message>
    <message>
        <source>Largest distance, or size (metres)</source>
        <translation>Mayor distancia, o tamaño (metros)</translation>
    </message>
    <message>
        <source>Epsilon of Laplace noise (per metre)</source>
        <translation>Épsilon del ruido de Laplace (por metro)</translation>
    </message>
    <message>
        <source>Least number (k)</source>
        <translation>Menor número (k)</translation>
    </message>
    <message>
        <source>Largest number (k)</source>
        <translation>Mayor número (k)</translation>
    </message>
    <message>
        <source>Even by</source>
        <translation>Uniforme según</translation>
    </message>
    <message>
        <source>Homes that the list lacks (%)</source>
        <translation>Viviendas que faltan en la lista (%)</translation>
    </message>
    <message>
        <source>Key of the masked points</source>
        <translation>Clave de los puntos enmascarados</translation>
    </message>
    <message>
        <source>Fields that stay as they are</source>
        <translation>Campos que quedan como están</translation>
    </message>
    <message>
        <source>Private: file to go on from</source>
        <translation>Privado: archivo para continuar</translation>
    </message>
    <message>
        <source>Released people whom the adversary knows (per cent)</source>
        <translation>Personas publicadas que el adversario conoce (por ciento)</translation>
    </message>
    <message>
        <source>Neighbours among those whom the adversary knows</source>
        <translation>Vecinos entre los que conoce el adversario</translation>
    </message>
    <message>
        <source>People whom the adversary knows in all</source>
        <translation>Personas que conoce el adversario en total</translation>
    </message>
    <message>
        <source>Releases of the same people that the adversary holds</source>
        <translation>Publicaciones de las mismas personas que tiene el adversario</translation>
    </message>
    <message>
        <source>Noise before the embedding to try (metres)</source>
        <translation>Ruido antes de la inmersión que probar (metros)</translation>
    </message>
    <message>
        <source>Steps of the released distances to try (metres)</source>
        <translation>Pasos de las distancias publicadas que probar (metros)</translation>
    </message>
    <message>
        <source>Radii of ISGP to try (metres)</source>
        <translation>Radios de ISGP que probar (metros)</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Búsqueda</translation>
    </message>
    <message>
        <source>Highest precision of the attack</source>
        <translation>Mayor precisión del ataque</translation>
    </message>
    <message>
        <source>Lowest share of nearest neighbours kept</source>
        <translation>Menor parte de vecinos más cercanos conservados</translation>
    </message>
    <message>
        <source>What is to be kept</source>
        <translation>Lo que hay que conservar, de las distancias</translation>
    </message>
    <message>
        <source>Most draws of people</source>
        <translation>Máximo de sorteos de personas</translation>
    </message>
    <message>
        <source>Draws attacked by likelihood</source>
        <translation>Sorteos atacados por verosimilitud</translation>
    </message>
    <message>
        <source>Share of true pairs the adversary accepts</source>
        <translation>Parte de los pares verdaderos que acepta el adversario</translation>
    </message>
    <message>
        <source>Embeddings by the adversary</source>
        <translation>Inmersiones por el adversario</translation>
    </message>
    <message>
        <source>Records released in the attacks</source>
        <translation>Registros publicados en los ataques</translation>
    </message>
    <message>
        <source>Parameters tried</source>
        <translation>Parámetros probados</translation>
    </message>
    <message>
        <source>Dask scheduler</source>
        <translation>Planificador Dask</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>Anonymised</source>
        <translation>Anonimizado</translation>
    </message>
    <message>
        <source>Fields (none chosen: all that both have, but ids)</source>
        <translation>Campos (ninguno elegido: todos los comunes a ambos, salvo los identificadores)</translation>
    </message>
    <message>
        <source>Field with the released ids</source>
        <translation>Campo con los identificadores publicados</translation>
    </message>
    <message>
        <source>Field with the original ids</source>
        <translation>Campo con los identificadores originales</translation>
    </message>
    <message>
        <source>From earlier areas to these, and back</source>
        <translation>De las zonas anteriores a estas, y vuelta</translation>
    </message>
    <message>
        <source>Tolerance of the search (%)</source>
        <translation>Tolerancia de la búsqueda (%)</translation>
    </message>
    <message>
        <source>Fewest people of an area</source>
        <translation>Menor número de personas de una zona</translation>
    </message>
    <message>
        <source>Regions' field with the people</source>
        <translation>Campo de las regiones con las personas</translation>
    </message>
    <message>
        <source>Largest diameter of an area (metres)</source>
        <translation>Mayor diámetro de una zona (metros)</translation>
    </message>
    <message>
        <source>Fields whose borders no area crosses</source>
        <translation>Campos cuyos límites no cruza ninguna zona</translation>
    </message>
    <message>
        <source>Fields of a hierarchy</source>
        <translation>Campos de una jerarquía</translation>
    </message>
    <message>
        <source>Areas in one piece</source>
        <translation>Zonas de una sola pieza</translation>
    </message>
    <message>
        <source>Move single regions at the borders of areas</source>
        <translation>Mover regiones sueltas en los límites de las zonas</translation>
    </message>
    <message>
        <source>Regions and their areas of an earlier release</source>
        <translation>Regiones y sus zonas de una publicación anterior</translation>
    </message>
    <message>
        <source>Its field with the region's id</source>
        <translation>Su campo con el identificador de la región</translation>
    </message>
    <message>
        <source>Its field with the area, or one for each earlier release</source>
        <translation>Su campo con la zona, o uno por publicación anterior</translation>
    </message>
    <message>
        <source>K of the earlier release</source>
        <translation>K de la publicación anterior</translation>
    </message>
    <message>
        <source>Join areas so that nothing can be subtracted</source>
        <translation>Unir zonas para que no se pueda restar nada</translation>
    </message>
    <message>
        <source>How the areas lie to the earlier ones</source>
        <translation>Situación de las zonas respecto a las anteriores</translation>
    </message>
    <message>
        <source>Attributes to exchange among neighbours</source>
        <translation>Atributos que intercambiar entre vecinos</translation>
    </message>
    <message>
        <source>Least size of such a group</source>
        <translation>Menor tamaño de tal grupo</translation>
    </message>
    <message>
        <source>Attributes that such a group has in common</source>
        <translation>Atributos que tal grupo tiene en común</translation>
    </message>
    <message>
        <source>Rules between fields</source>
        <translation>Reglas entre campos</translation>
    </message>
    <message>
        <source>Groups of values</source>
        <translation>Grupos de valores</translation>
    </message>
    <message>
        <source>Labels or distances</source>
        <translation>Etiquetas o distancias</translation>
    </message>
    <message>
        <source>Secret grid</source>
        <translation>Cuadrícula secreta</translation>
    </message>
    <message>
        <source>Release</source>
        <translation>Publicación</translation>
    </message>
    <message>
        <source>Radius (metres)</source>
        <translation>Radio (metros)</translation>
    </message>
    <message>
        <source>Distance of the grid points (metres)</source>
        <translation>Distancia de los puntos de la cuadrícula (metros)</translation>
    </message>
    <message>
        <source>Secret grid of an earlier release</source>
        <translation>Cuadrícula secreta de una publicación anterior</translation>
    </message>
    <message>
        <source>Released records</source>
        <translation>Registros de la publicación</translation>
    </message>
    <message>
        <source>Known people</source>
        <translation>Personas conocidas</translation>
    </message>
    <message>
        <source>Records in both</source>
        <translation>Registros en ambos</translation>
    </message>
    <message>
        <source>How he links several releases</source>
        <translation>Cómo enlaza varias publicaciones</translation>
    </message>
    <message>
        <source>Numbers of reference sets (d)</source>
        <translation>Números de conjuntos de referencia (d)</translation>
    </message>
    <message>
        <source>Sizes of reference sets (k)</source>
        <translation>Tamaños de conjuntos de referencia (k)</translation>
    </message>
    <message>
        <source>Sizes of the noise</source>
        <translation>Tamaños del ruido</translation>
    </message>
    <message>
        <source>Unit of the sizes</source>
        <translation>Unidad de los tamaños</translation>
    </message>
    <message>
        <source>Distribution of the noise</source>
        <translation>Distribución del ruido</translation>
    </message>
    <message>
        <source>Radii of ISGP (metres)</source>
        <translation>Radios de ISGP (metros)</translation>
    </message>
    <message>
        <source>Attack</source>
        <translation>Ataque</translation>
    </message>
    <message>
        <source>Shares of true pairs to accept (alpha)</source>
        <translation>Partes de los pares verdaderos que aceptar (alfa)</translation>
    </message>
    <message>
        <source>Most steps of a search</source>
        <translation>Máximo de pasos de una búsqueda</translation>
    </message>
    <message>
        <source>Most work of a search (millions)</source>
        <translation>Trabajo máximo de una búsqueda (millones)</translation>
    </message>
    <message>
        <source>Time limit of a search (seconds)</source>
        <translation>Límite de tiempo de una búsqueda (segundos)</translation>
    </message>
    <message>
        <source>Least confidence</source>
        <translation>Menor certeza</translation>
    </message>
    <message>
        <source>Table of an earlier run</source>
        <translation>Tabla de una ejecución anterior</translation>
    </message>
    <message>
        <source>Linked people</source>
        <translation>Personas enlazadas</translation>
    </message>
    <message>
        <source>True place to linked place</source>
        <translation>Del lugar verdadero al enlazado</translation>
    </message>
    <message>
        <source>Further releases of the same records</source>
        <translation>Otras publicaciones de los mismos registros</translation>
    </message>
    <message>
        <source>Released records of the further releases</source>
        <translation>Registros publicados de las otras publicaciones</translation>
    </message>
    <message>
        <source>Quasi-identifiers of the records</source>
        <translation>Cuasi-identificadores de los registros</translation>
    </message>
    <message>
        <source>Id of the records</source>
        <translation>Identificador de los registros</translation>
    </message>
    <message>
        <source>Quasi-identifiers of the people</source>
        <translation>Cuasi-identificadores de las personas</translation>
    </message>
    <message>
        <source>Id of the people</source>
        <translation>Identificador de las personas</translation>
    </message>
    <message>
        <source>Known links</source>
        <translation>Vínculos conocidos</translation>
    </message>
    <message>
        <source>Id of the record in the known links</source>
        <translation>Identificador del registro en los vínculos conocidos</translation>
    </message>
    <message>
        <source>Id of the person in the known links</source>
        <translation>Identificador de la persona en los vínculos conocidos</translation>
    </message>
    <message>
        <source>Released records that the adversary knows already</source>
        <translation>Registros publicados que el adversario ya conoce</translation>
    </message>
    <message>
        <source>When distances agree</source>
        <translation>Cuándo concuerdan las distancias</translation>
    </message>
    <message>
        <source>Share of true pairs to accept (alpha)</source>
        <translation>Parte de los pares verdaderos que aceptar (alfa)</translation>
    </message>
    <message>
        <source>Embeddings of the known people</source>
        <translation>Inmersiones de las personas conocidas</translation>
    </message>
    <message>
        <source>Most steps of the search</source>
        <translation>Máximo de pasos de la búsqueda</translation>
    </message>
    <message>
        <source>Time limit of the search (seconds)</source>
        <translation>Límite de tiempo de la búsqueda (segundos)</translation>
    </message>
    <message>
        <source>Where searches begin</source>
        <translation>Dónde empiezan las búsquedas</translation>
    </message>
    <message>
        <source>Most moves of a search</source>
        <translation>Máximo de movimientos de una búsqueda</translation>
    </message>
    <message>
        <source>What the best areas are best in</source>
        <translation>En qué son mejores las mejores zonas</translation>
    </message>
    <message>
        <source>Starts of best</source>
        <translation>Inicios de best</translation>
    </message>
    <message>
        <source>Mask file of the release</source>
        <translation>Archivo de enmascaramiento de la publicación</translation>
    </message>
    <message>
        <source>People or addresses</source>
        <translation>Personas o direcciones</translation>
    </message>
    <message>
        <source>Field with the number</source>
        <translation>Campo con el número</translation>
    </message>
    <message>
        <source>Least number in an area (K)</source>
        <translation>Menor número en una zona (K)</translation>
    </message>
    <message>
        <source>Keep points in their areas</source>
        <translation>Mantener los puntos en sus zonas</translation>
    </message>
    <message>
        <source>Addresses to hide among (k)</source>
        <translation>Direcciones entre las que ocultarse (k)</translation>
    </message>
    <message>
        <source>What is counted</source>
        <translation>Lo que se cuenta</translation>
    </message>
    <message>
        <source>Records to hide among</source>
        <translation>Registros entre los que ocultarse</translation>
    </message>
    <message>
        <source>Class of an address</source>
        <translation>Clase de una dirección</translation>
    </message>
    <message>
        <source>Release at</source>
        <translation>Publicar en</translation>
    </message>
    <message>
        <source>Largest probability of an address</source>
        <translation>Mayor probabilidad de una dirección</translation>
    </message>
    <message>
        <source>Share of the addresses with records</source>
        <translation>Parte de las direcciones con registros</translation>
    </message>
    <message>
        <source>Private: mask file of the points, if they are masked already</source>
        <translation>Privado: archivo de enmascaramiento de los puntos, si ya están enmascarados</translation>
    </message>
    <message>
        <source>Mean shift of the masked points (metres)</source>
        <translation>Desplazamiento medio de los puntos enmascarados (metros)</translation>
    </message>
    <message>
        <source>Law</source>
        <translation>Ley</translation>
    </message>
    <message>
        <source>Size by</source>
        <translation>Tamaño según</translation>
    </message>
    <message>
        <source>Population areas</source>
        <translation>Zonas de población</translation>
    </message>
    <message>
        <source>Zones to stay in</source>
        <translation>Zonas en las que permanecer</translation>
    </message>
    <message>
        <source>Disc and donut even by</source>
        <translation>Disco y anillo uniformes según</translation>
    </message>
    <message>
        <source>Largest distance in towns (metres)</source>
        <translation>Mayor distancia en ciudades (metros)</translation>
    </message>
    <message>
        <source>Share that may go farther</source>
        <translation>Parte que puede ir más lejos</translation>
    </message>
    <message>
        <source>Largest distance of that share (metres)</source>
        <translation>Mayor distancia de esa parte (metros)</translation>
    </message>
    <message>
        <source>Where points could have gone</source>
        <translation>Adónde pudieron ir los puntos</translation>
    </message>
    <message>
        <source>Withheld records</source>
        <translation>Registros retenidos</translation>
    </message>
    <message>
        <source>Secret file</source>
        <translation>Archivo secreto</translation>
    </message>
    <message>
        <source>Records withheld</source>
        <translation>Número de registros retenidos</translation>
    </message>
    <message>
        <source>Secret file of an earlier release</source>
        <translation>Archivo secreto de una publicación anterior</translation>
    </message>
    <message>
        <source>Candidates (address list)</source>
        <translation>Candidatos (lista de direcciones)</translation>
    </message>
    <message>
        <source>Largest distance (metres)</source>
        <translation>Mayor distancia (metros)</translation>
    </message>
    <message>
        <source>Fewest candidates (k)</source>
        <translation>Menor número de candidatos (k)</translation>
    </message>
    <message>
        <source>Where the ring holds too few</source>
        <translation>Donde el anillo contiene muy pocos</translation>
    </message>
    <message>
        <source>Shifts</source>
        <translation>Desplazamientos</translation>
    </message>
    <message>
        <source>Points masked</source>
        <translation>Puntos que se enmascararon</translation>
    </message>
    <message>
        <source>Median shift (metres)</source>
        <translation>Desplazamiento mediano (metros)</translation>
    </message>
    <message>
        <source>Points to mask</source>
        <translation>Puntos que enmascarar</translation>
    </message>
    <message>
        <source>Shuffle the rows</source>
        <translation>Mezclar las filas</translation>
    </message>
    <message>
        <source>Side of a cell (metres)</source>
        <translation>Lado de una celda (metros)</translation>
    </message>
    <message>
        <source>Field with the number of people or addresses</source>
        <translation>Campo con el número de personas o direcciones</translation>
    </message>
    <message>
        <source>Least number in an area (k)</source>
        <translation>Menor número en una zona (k)</translation>
    </message>
    <message>
        <source>Place in the area</source>
        <translation>Lugar en la zona</translation>
    </message>
    <message>
        <source>Addresses to a site</source>
        <translation>Direcciones por sitio</translation>
    </message>
    <message>
        <source>Least number of places with records in an area</source>
        <translation>Menor número de lugares con registros en una zona</translation>
    </message>
    <message>
        <source>Fewest nodes</source>
        <translation>Menor número de nodos</translation>
    </message>
    <message>
        <source>Upper limit of nodes</source>
        <translation>Límite superior de nodos</translation>
    </message>
    <message>
        <source>Length to search (metres)</source>
        <translation>Longitud que recorrer (metros)</translation>
    </message>
    <message>
        <source>Original points</source>
        <translation>Puntos originales</translation>
    </message>
    <message>
        <source>Controls</source>
        <translation>Controles</translation>
    </message>
    <message>
        <source>People at a control</source>
        <translation>Personas por control</translation>
    </message>
    <message>
        <source>Services</source>
        <translation>Servicios</translation>
    </message>
    <message>
        <source>Largest cluster, as a share of the population</source>
        <translation>Mayor conglomerado, como parte de la población</translation>
    </message>
    <message>
        <source>Draws for the p-value of clusters</source>
        <translation>Sorteos para el valor p de los conglomerados</translation>
    </message>
    <message>
        <source>Simulations for the envelopes of K</source>
        <translation>Simulaciones para las envolventes de K</translation>
    </message>
    <message>
        <source>Clusters of the scan statistic</source>
        <translation>Conglomerados de la estadística de barrido</translation>
    </message>
    <message>
        <source>Records in both layers</source>
        <translation>Registros en ambas capas</translation>
    </message>
    <message>
        <source>Originals without a released point</source>
        <translation>Originales sin punto publicado</translation>
    </message>
    <message>
        <source>Median actual k</source>
        <translation>k real mediano</translation>
    </message>
    <message>
        <source>Median estimated k</source>
        <translation>k estimado mediano</translation>
    </message>
    <message>
        <source>Median k-original</source>
        <translation>k original mediano</translation>
    </message>
    <message>
        <source>Spruill's measure</source>
        <translation>Medida de Spruill</translation>
    </message>
    <message>
        <source>LLR of the most likely cluster in the original</source>
        <translation>LLR del conglomerado más probable en el original</translation>
    </message>
    <message>
        <source>LLR of the most likely cluster in the release</source>
        <translation>LLR del conglomerado más probable en la publicación</translation>
    </message>
    <message>
        <source>p-value of the most likely cluster in the original</source>
        <translation>Valor p del conglomerado más probable en el original</translation>
    </message>
    <message>
        <source>p-value of the most likely cluster in the release</source>
        <translation>Valor p del conglomerado más probable en la publicación</translation>
    </message>
    <message>
        <source>Most likely cluster kept</source>
        <translation>Conglomerado más probable conservado</translation>
    </message>
    <message>
        <source>Drift of the mean centre (metres)</source>
        <translation>Deriva del centro medio (metros)</translation>
    </message>
    <message>
        <source>Difference of nearest-neighbour distances</source>
        <translation>Diferencia de las distancias al vecino más cercano</translation>
    </message>
    <message>
        <source>Difference of L (metres)</source>
        <translation>Diferencia de L (metros)</translation>
    </message>
    <message>
        <source>Agreement of DBSCAN's clusters</source>
        <translation>Concordancia de los conglomerados de DBSCAN</translation>
    </message>
    <message>
        <source>Overlap of the kernel densities</source>
        <translation>Solape de las densidades de núcleo</translation>
    </message>
    <message>
        <source>Moran's I in the original</source>
        <translation>I de Moran en el original</translation>
    </message>
    <message>
        <source>Moran's I in the release</source>
        <translation>I de Moran en la publicación</translation>
    </message>
    <message>
        <source>Local clusters kept</source>
        <translation>Conglomerados locales conservados</translation>
    </message>
    <message>
        <source>Median error of the distance to the nearest service (metres)</source>
        <translation>Error mediano de la distancia al servicio más cercano (metros)</translation>
    </message>
    <message>
        <source>Share of points that stay in their zone</source>
        <translation>Parte de los puntos que siguen en su zona</translation>
    </message>
    <message>
        <source>Share of released points where nobody lives</source>
        <translation>Parte de los puntos publicados donde no vive nadie</translation>
    </message>
    <message>
        <source>Kinds of the fields</source>
        <translation>Clases de los campos</translation>
    </message>
    <message>
        <source>Missing values</source>
        <translation>Valores que faltan</translation>
    </message>
    <message>
        <source>Places take part</source>
        <translation>Los lugares toman parte</translation>
    </message>
    <message>
        <source>People at risk</source>
        <translation>Personas en riesgo</translation>
    </message>
    <message>
        <source>Verdict of the three measures</source>
        <translation>Veredicto de las tres medidas</translation>
    </message>
    <message>
        <source>Singling out: share found</source>
        <translation>Singularización: parte encontrada</translation>
    </message>
    <message>
        <source>Singling out: upper end</source>
        <translation>Singularización: extremo superior</translation>
    </message>
    <message>
        <source>Linkability: share found</source>
        <translation>Vinculabilidad: parte encontrada</translation>
    </message>
    <message>
        <source>Linkability: upper end</source>
        <translation>Vinculabilidad: extremo superior</translation>
    </message>
    <message>
        <source>Inference: share found</source>
        <translation>Inferencia: parte encontrada</translation>
    </message>
    <message>
        <source>Inference: upper end</source>
        <translation>Inferencia: extremo superior</translation>
    </message>
    <message>
        <source>Membership: share found</source>
        <translation>Pertenencia: parte encontrada</translation>
    </message>
    <message>
        <source>Membership: upper end</source>
        <translation>Pertenencia: extremo superior</translation>
    </message>
    <message>
        <source>Originals of whom true values stand together</source>
        <translation>Originales de los que hay valores verdaderos juntos</translation>
    </message>
    <message>
        <source>What an adversary knows (none chosen: several are tried)</source>
        <translation>Lo que sabe un adversario (ninguno elegido: se prueban varios)</translation>
    </message>
    <message>
        <source>He knows the place, too</source>
        <translation>También conoce el lugar</translation>
    </message>
    <message>
        <source>What he wants to learn (none chosen: all he does not know)</source>
        <translation>Lo que quiere averiguar (ninguno elegido: todo lo que no sabe)</translation>
    </message>
    <message>
        <source>Ranges of numbers</source>
        <translation>Intervalos de los números</translation>
    </message>
    <message>
        <source>Share of the population in the table</source>
        <translation>Parte de la población en la tabla</translation>
    </message>
    <message>
        <source>Dates are counted</source>
        <translation>Las fechas se cuentan</translation>
    </message>
    <message>
        <source>Sensitive fields</source>
        <translation>Campos sensibles</translation>
    </message>
    <message>
        <source>Fewest different sensitive values in a class (l)</source>
        <translation>Menor número de valores sensibles distintos de una clase (l)</translation>
    </message>
    <message>
        <source>Farthest from the whole table (t)</source>
        <translation>Mayor distancia a la tabla entera (t)</translation>
    </message>
    <message>
        <source>Distance matrix</source>
        <translation>Matriz de distancias</translation>
    </message>
    <message>
        <source>Distance kept</source>
        <translation>Distancia conservada</translation>
    </message>
    <message>
        <source>What the matrix draws</source>
        <translation>Lo que dibuja la matriz</translation>
    </message>
    <message>
        <source>Unit of the released distances</source>
        <translation>Unidad de las distancias publicadas</translation>
    </message>
    <message>
        <source>Decimals of the released distances</source>
        <translation>Decimales de las distancias publicadas</translation>
    </message>
    <message>
        <source>Feature id for “Distance kept”</source>
        <translation>Identificador de objeto para «Distancia conservada»</translation>
    </message>
    <message>
        <source>Risk of each record</source>
        <translation>Riesgo de cada registro</translation>
    </message>
    <message>
        <source>Field with the person's id</source>
        <translation>Campo con el identificador de la persona</translation>
    </message>
    <message>
        <source>Records to withhold</source>
        <translation>Registros que retener</translation>
    </message>
    <message numerus="yes">
        <source>{n} records were</source>
        <extracomment>One: {n} record was</extracomment>
        <translation><numerusform>{n} registro estaba</numerusform><numerusform>{n} registros estaban</numerusform></translation>
    </message>
    <message>
        <source>Private</source>
        <translation>Privado</translation>
    </message>
    <message>
        <source>Field that names a person</source>
        <translation>Campo que identifica a una persona</translation>
    </message>
    <message>
        <source>N</source>
        <translation>N</translation>
    </message>
    <message>
        <source>What was left out</source>
        <translation>Lo que se omitió</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Resultado</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>Mapa</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>Categoría</translation>
    </message>
    <message>
        <source>What an adversary finds</source>
        <translation>Lo que encuentra un adversario</translation>
    </message>
    <message>
        <source>How surely</source>
        <translation>Con qué certeza</translation>
    </message>
    <message>
        <source>Choosing embedding parameters</source>
        <translation>Elección de los parámetros de la inmersión</translation>
    </message>
    <message>
        <source>Risk and utility</source>
        <translation>Riesgo y utilidad</translation>
    </message>
    <message>
        <source>By parameters</source>
        <translation>Según los parámetros</translation>
    </message>
    <message>
        <source>All rows</source>
        <translation>Todas las filas</translation>
    </message>
    <message>
        <source>Recommendation</source>
        <translation>Recomendación</translation>
    </message>
    <message>
        <source>Remark</source>
        <translation>Observación</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>Grupos</translation>
    </message>
    <message>
        <source>distances</source>
        <translation>distancias</translation>
    </message>
    <message>
        <source>Choosing a point mask</source>
        <translation>Elección de un enmascaramiento de puntos</translation>
    </message>
    <message>
        <source>All masks</source>
        <translation>Todos los enmascaramientos</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>Límite</translation>
    </message>
    <message>
        <source>Records kept out</source>
        <translation>Registros apartados</translation>
    </message>
    <message>
        <source>How it was computed</source>
        <translation>Cómo se calculó</translation>
    </message>
    <message>
        <source>Is it enough?</source>
        <translation>¿Es suficiente?</translation>
    </message>
    <message>
        <source>Who is released as he is</source>
        <translation>Quién se publica tal cual</translation>
    </message>
    <message>
        <source>On the map</source>
        <translation>En el mapa</translation>
    </message>
    <message>
        <source>The three measures</source>
        <translation>Las tres medidas</translation>
    </message>
    <message>
        <source>Re-identification</source>
        <translation>Reidentificación</translation>
    </message>
    <message>
        <source>The attacks</source>
        <translation>Los ataques</translation>
    </message>
    <message>
        <source>What was done</source>
        <translation>Lo que se hizo</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>Atributos</translation>
    </message>
    <message>
        <source>Loading the matrix</source>
        <translation>Cargar la matriz</translation>
    </message>
    <message>
        <source>In short</source>
        <translation>En resumen</translation>
    </message>
    <message>
        <source>Nearest neighbours and ranks</source>
        <translation>Vecinos más cercanos y rangos</translation>
    </message>
    <message>
        <source>How distances are kept</source>
        <translation>Cómo se conservan las distancias</translation>
    </message>
    <message>
        <source>What analyses say</source>
        <translation>Lo que dicen los análisis</translation>
    </message>
    <message>
        <source>Neighbours and ranks</source>
        <translation>Vecinos y rangos</translation>
    </message>
    <message>
        <source>Sizes of the classes</source>
        <translation>Tamaños de las clases</translation>
    </message>
    <message>
        <source>The quasi-identifiers</source>
        <translation>Los cuasi-identificadores</translation>
    </message>
    <message>
        <source>In the population</source>
        <translation>En la población</translation>
    </message>
    <message>
        <source>The smallest classes</source>
        <translation>Las clases más pequeñas</translation>
    </message>
    <message>
        <source>Pairs that share a label</source>
        <translation>Pares que comparten una etiqueta</translation>
    </message>
    <message>
        <source>Records that share a label with nobody</source>
        <translation>Registros que no comparten etiqueta con nadie</translation>
    </message>
    <message>
        <source>Share of the variance of their distances that is explained</source>
        <translation>Parte explicada de la varianza de sus distancias</translation>
    </message>
    <message>
        <source>Usual error of a distance (root mean square)</source>
        <translation>Error habitual de una distancia (media cuadrática)</translation>
    </message>
    <message>
        <source>What it does not protect</source>
        <translation>Lo que no protege</translation>
    </message>
    <message>
        <source>What the adversary finds</source>
        <translation>Lo que encuentra el adversario</translation>
    </message>
    <message>
        <source>The matches</source>
        <translation>Los enlaces</translation>
    </message>
    <message>
        <source>The two files</source>
        <translation>Los dos archivos</translation>
    </message>
    <message>
        <source>Attack by attack</source>
        <translation>Ataque por ataque</translation>
    </message>
    <message>
        <source>Further releases</source>
        <translation>Otras publicaciones</translation>
    </message>
    <message>
        <source>ids</source>
        <translation>identificadores</translation>
    </message>
    <message>
        <source>distances to all others</source>
        <translation>distancias a todos los demás</translation>
    </message>
    <message>
        <source>Linked by</source>
        <translation>Vinculados por</translation>
    </message>
    <message>
        <source>Records linked</source>
        <translation>Registros vinculados</translation>
    </message>
    <message>
        <source>The attacks side by side</source>
        <translation>Los ataques, uno junto a otro</translation>
    </message>
    <message>
        <source>Precision and recall</source>
        <translation>Precisión y exhaustividad</translation>
    </message>
    <message>
        <source>All cells</source>
        <translation>Todas las celdas</translation>
    </message>
    <message>
        <source>A verdict on each release</source>
        <translation>Un veredicto sobre cada publicación</translation>
    </message>
    <message>
        <source>How far points moved</source>
        <translation>Cuánto se movieron los puntos</translation>
    </message>
    <message>
        <source>Measures of risk, and what an attack finds</source>
        <translation>Medidas del riesgo, y lo que encuentra un ataque</translation>
    </message>
    <message>
        <source>Maps</source>
        <translation>Mapas</translation>
    </message>
    <message>
        <source>Table for a section on methods</source>
        <translation>Tabla para una sección de métodos</translation>
    </message>
    <message>
        <source>Clusters (Kulldorff's scan statistic)</source>
        <translation>Conglomerados (estadística de barrido de Kulldorff)</translation>
    </message>
    <message>
        <source>Pattern (Ripley's K and cross-K)</source>
        <translation>Estructura (K de Ripley y K cruzada)</translation>
    </message>
    <message>
        <source>The fields</source>
        <translation>Los campos</translation>
    </message>
    <message>
        <source>Column by column</source>
        <translation>Columna por columna</translation>
    </message>
    <message>
        <source>Pairs of columns</source>
        <translation>Pares de columnas</translation>
    </message>
    <message>
        <source>In space</source>
        <translation>En el espacio</translation>
    </message>
    <message>
        <source>By zone</source>
        <translation>Por zona</translation>
    </message>
    <message>
        <source>Regressions</source>
        <translation>Regresiones</translation>
    </message>
    <message>
        <source>Predictions</source>
        <translation>Predicciones</translation>
    </message>
    <message>
        <source>Can it be told from the original?</source>
        <translation>¿Se puede distinguir del original?</translation>
    </message>
    <message>
        <source>What fields tell of each other</source>
        <translation>Lo que los campos dicen unos de otros</translation>
    </message>
    <message>
        <source>Reversal of a Voronoi mask</source>
        <translation>Inversión de un enmascaramiento de Voronoi</translation>
    </message>
    <message>
        <source>Is it a Voronoi mask at all?</source>
        <translation>¿Es siquiera un enmascaramiento de Voronoi?</translation>
    </message>
    <message>
        <source>What is released</source>
        <translation>Lo que se publica</translation>
    </message>
    <message>
        <source>Before and after, in the units of the fields</source>
        <translation>Antes y después, en las unidades de los campos</translation>
    </message>
    <message>
        <source>What it kept</source>
        <translation>Lo que conservó</translation>
    </message>
    <message>
        <source>What another K would cost</source>
        <translation>Lo que costaría otro K</translation>
    </message>
    <message>
        <source>Attributes of the released records</source>
        <translation>Atributos de los registros publicados</translation>
    </message>
    <message>
        <source>Search for better sites</source>
        <translation>Búsqueda de mejores sitios</translation>
    </message>
    <message>
        <source>Earlier release</source>
        <translation>Publicación anterior</translation>
    </message>
    <message>
        <source>Areas to join</source>
        <translation>Zonas que unir</translation>
    </message>
    <message>
        <source>What it cost elsewhere</source>
        <translation>Lo que costó en otra parte</translation>
    </message>
    <message>
        <source>Areas that release nothing or little</source>
        <translation>Zonas que no publican nada o poco</translation>
    </message>
    <message>
        <source>What every area keeps</source>
        <translation>Lo que conserva cada zona</translation>
    </message>
    <message>
        <source>All combinations</source>
        <translation>Todas las combinaciones</translation>
    </message>
    <message>
        <source>Which one to take</source>
        <translation>Cuál tomar</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>Gráficos</translation>
    </message>
    <message>
        <source>Ratios</source>
        <translation>Razones</translation>
    </message>
    <message>
        <source>Searches for better sites</source>
        <translation>Búsquedas de mejores sitios</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Nivel de base</translation>
    </message>
    <message>
        <source>The files</source>
        <translation>Los archivos</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>verdadero o falso</translation>
    </message>
    <message>
        <source>one or more of {options}</source>
        <translation>uno o varios de {options}</translation>
    </message>
    <message>
        <source>one of {options}</source>
        <translation>uno de {options}</translation>
    </message>
    <message>
        <source>Decision</source>
        <translation>Decisión</translation>
    </message>
    <message>
        <source>The verdict: do_not_release, release_with_care (it held against every attack that was run), not_tested (no attack was run) or cannot_tell.</source>
        <translation>El veredicto: do_not_release, release_with_care (resistió todos los ataques que se hicieron), not_tested (no se hizo ningún ataque) o cannot_tell.</translation>
    </message>
    <message>
        <source>Share of people found, lower end</source>
        <translation>Parte de las personas encontradas, extremo inferior</translation>
    </message>
    <message>
        <source>Lower end of the 95 % interval of the share of people found, by the worst attack; empty where none was run.</source>
        <translation>Extremo inferior del intervalo del 95 % de la parte de las personas encontradas, por el peor ataque; vacío si no se hizo ninguno.</translation>
    </message>
    <message>
        <source>Share of people found, upper end</source>
        <translation>Parte de las personas encontradas, extremo superior</translation>
    </message>
    <message>
        <source>Upper end of that interval; 1 where a search was cut off. It is held against the limit.</source>
        <translation>Extremo superior de ese intervalo; 1 si se interrumpió una búsqueda. Es el que se compara con el límite.</translation>
    </message>
    <message>
        <source>The acceptable share of people found.</source>
        <translation>La parte aceptable de las personas encontradas.</translation>
    </message>
    <message>
        <source>Whether what was limited is kept cannot be told of so few: the interval of the share of records above the limit spans what is allowed.</source>
        <translation>Con tan pocos no se puede decir si se cumple lo que se limitó: el intervalo de la parte de los registros por encima del límite contiene lo permitido.</translation>
    </message>
    <message>
        <source>Do not release this</source>
        <translation>No publique esto</translation>
    </message>
    <message>
        <source>People can be found in it, more of them or more surely than is acceptable.</source>
        <translation>En ello se puede encontrar a personas, a más o con más seguridad de lo aceptable.</translation>
    </message>
    <message>
        <source>It held: may be released with care</source>
        <translation>Resistió: se puede publicar con cuidado</translation>
    </message>
    <message>
        <source>It held against every attack that was run here, for the adversary named below. Nobody can show that no other attack finds more.</source>
        <translation>Resistió todos los ataques que se hicieron aquí, para el adversario nombrado abajo. Nadie puede mostrar que ningún otro ataque encuentre más.</translation>
    </message>
    <message>
        <source>Not tested: do not release this yet</source>
        <translation>Sin probar: no publique esto todavía</translation>
    </message>
    <message>
        <source>No attack was run on it, so nobody knows whether people can be found in it.</source>
        <translation>No se hizo ningún ataque: nadie sabe si en ello se puede encontrar a personas.</translation>
    </message>
    <message>
        <source>Nobody can tell: do not release this yet</source>
        <translation>Nadie puede decirlo: no publique esto todavía</translation>
    </message>
    <message>
        <source>The attacks do not show whether the share of people found is acceptable: there are too few people, a search was cut off, or the interval spans the limit.</source>
        <translation>Los ataques no muestran si la parte de las personas encontradas es aceptable: hay demasiado pocas personas, se interrumpió una búsqueda o el intervalo contiene el límite.</translation>
    </message>
    <message>
        <source>Acceptable share of people found</source>
        <translation>Parte aceptable de las personas encontradas</translation>
    </message>
    <message>
        <source>Up to this share of the people (0 to 1) an attack may find before the verdict is “do not release”. 0.09 is the threshold of the European Medicines Agency for published data. A single person who is found beyond doubt is too many.</source>
        <translation>Hasta esta parte de las personas (0 a 1) puede encontrar un ataque antes de que el veredicto sea «no publique». 0.09 es el umbral de la Agencia Europea de Medicamentos para datos publicados. Una sola persona encontrada sin duda alguna es demasiado.</translation>
    </message>
    <message>
        <source>The limit (ACCEPTABLE) must be above 0 and below 1: at 0 nothing can be released, and at 1 everything.</source>
        <translation>El límite (ACCEPTABLE) debe estar por encima de 0 y por debajo de 1: con 0 no se puede publicar nada, y con 1 todo.</translation>
    </message>
    <message>
        <source>Against whom</source>
        <translation>Contra quién</translation>
    </message>
    <message>
        <source>An adversary who {knows}, and who {wants}.</source>
        <translation>Un adversario que {knows}, y que {wants}.</translation>
    </message>
    <message>
        <source>Not run</source>
        <translation>No ejecutado</translation>
    </message>
    <message>
        <source>Acceptable</source>
        <translation>Aceptable</translation>
    </message>
    <message>
        <source>At most {limit:.3g} % of the people found, and nobody surely.</source>
        <translation>A lo sumo el {limit:.3g} % de las personas encontradas, y nadie con seguridad.</translation>
    </message>
    <message>
        <source>What to do next</source>
        <translation>Qué hacer después</translation>
    </message>
    <message>
        <source>The fewest that agree in all quasi-identifiers are {smallest:,} (k).</source>
        <translation>Los menos que concuerdan en todos los cuasi-identificadores son {smallest:,} (k).</translation>
    </message>
    <message>
        <source>Each of those is found with {chance:.3g} %: the limit holds on average, not for every person.</source>
        <translation>Cada uno de ellos se encuentra con un {chance:.3g} %: el límite vale en promedio, no para cada persona.</translation>
    </message>
    <message>
        <source>One record was left out so that this holds.</source>
        <translation>Se omitió un registro para que esto se cumpla.</translation>
    </message>
    <message>
        <source>{records} left out so that this holds.</source>
        <translation>{records} omitidos para que esto se cumpla.</translation>
    </message>
    <message>
        <source>He names or guesses at {claims}.</source>
        <translation>Nombra o conjetura {claims}.</translation>
    </message>
    <message>
        <source>One record is shown as it is, or found beyond doubt.</source>
        <translation>Un registro se muestra tal cual, o se encuentra sin duda alguna.</translation>
    </message>
    <message>
        <source>{records} shown as they are, or found beyond doubt.</source>
        <translation>{records} mostrados tal cual, o encontrados sin duda alguna.</translation>
    </message>
    <message>
        <source>There is nobody to be found.</source>
        <translation>No hay nadie a quien encontrar.</translation>
    </message>
    <message>
        <source>How many of {people} are found cannot be said: it is not known which record belongs to whom.</source>
        <translation>No se puede decir a cuántas de {people} se encuentra: no se sabe qué registro pertenece a quién.</translation>
    </message>
    <message>
        <source>Right in {right:.1f} % of the attempts on people of the file, in {control:.1f} % on people who are not in it, in {blind:.1f} % blindly. Found beyond these: {share:.1f} % of {people}; with 95 % confidence between {low:.1f} and {high:.1f} %.</source>
        <translation>Acertó en el {right:.1f} % de los intentos con personas del archivo, en el {control:.1f} % con personas que no están en él, en el {blind:.1f} % a ciegas. Encontrado además de eso: {share:.1f} % de {people}; con un 95 % de confianza entre {low:.1f} y {high:.1f} %.</translation>
    </message>
    <message>
        <source>{found:,.0f} of {people} are in classes that tell more of a sensitive field than was allowed: {share:.1f} %. All records were counted, so that there is nothing to estimate.</source>
        <translation>{found:,.0f} de {people} están en clases que dicen de un campo sensible más de lo permitido: {share:.1f} %. Se contaron todos los registros, así que no hay nada que estimar.</translation>
    </message>
    <message>
        <source>{found:,.0f} of {people} count as found, one for each small number that can be worked out, or told to be small: {share:.1f} %. All that is published was looked at together, so that there is nothing to estimate.</source>
        <translation>{found:,.0f} de {people} cuentan como encontradas, una por cada número pequeño que se puede calcular, o del que se dice que es pequeño: {share:.1f} %. Todo lo que se publica se examinó en conjunto, de modo que no hay nada que estimar.</translation>
    </message>
    <message>
        <source>{found:,.0f} of {people} are found on average by whoever takes one of the records that fit: {share:.1f} %. All records were counted, so that there is nothing to estimate.</source>
        <translation>A {found:,.0f} de {people} encuentra en promedio quien toma uno de los registros que encajan: {share:.1f} %. Se contaron todos los registros, así que no hay nada que estimar.</translation>
    </message>
    <message>
        <source>{found:,.0f} of {people} were found: {share:.1f} %; with 95 % confidence between {low:.1f} and {high:.1f} % in data of this kind.</source>
        <translation>Se encontró a {found:,.0f} de {people}: {share:.1f} %; con un 95 % de confianza entre {low:.1f} y {high:.1f} % en datos de esta clase.</translation>
    </message>
    <message>
        <source>Without any key {found:,.1f} of {people} can be expected to be found: {share:.1f} %; with 95 % confidence between {low:.1f} and {high:.1f} %.</source>
        <translation>Sin ninguna clave cabe esperar que se encuentre a {found:,.1f} de {people}: {share:.1f} %; con un 95 % de confianza entre {low:.1f} y {high:.1f} %.</translation>
    </message>
    <message>
        <source>feature ids {ids} and more</source>
        <translation>identificadores de objeto {ids} y más</translation>
    </message>
    <message>
        <source>feature ids {ids}</source>
        <translation>identificadores de objeto {ids}</translation>
    </message>
    <message>
        <source>feature id {ids}</source>
        <translation>identificador de objeto {ids}</translation>
    </message>
    <message>
        <source>Private: do not pass on</source>
        <translation>Privado: no entregar a nadie</translation>
    </message>
    <message>
        <source>This report shows original locations, or what leads back to them. It is only for those who may see the original data. It must not be given to anyone who receives the released data, and must not be published, mailed or stored beside it.</source>
        <translation>Este informe muestra lugares originales, o lo que lleva a ellos. Es solo para quienes pueden ver los datos originales. No se debe dar a nadie que reciba los datos publicados, ni publicar, enviar o guardar junto a ellos.</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Nota</translation>
    </message>
    <message>
        <source>Caution</source>
        <translation>Precaución</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Advertencia</translation>
    </message>
    <message>
        <source>–</source>
        <translation>–</translation>
    </message>
    <message>
        <source>Rows shown: the first {shown} of {total}; left out: {left}. The JSON form of this report holds them all.</source>
        <translation>Filas mostradas: las primeras {shown} de {total}; omitidas: {left}. La forma JSON de este informe las contiene todas.</translation>
    </message>
    <message>
        <source>No rows.</source>
        <translation>Ninguna fila.</translation>
    </message>
    <message>
        <source>The numbers behind this chart</source>
        <translation>Los números detrás de este gráfico</translation>
    </message>
    <message>
        <source>The chart is given as a table because the Python package matplotlib, which would draw it, is not installed.</source>
        <translation>El gráfico se da como tabla porque el paquete de Python matplotlib, que lo dibujaría, no está instalado.</translation>
    </message>
    <message>
        <source>There are no values to draw.</source>
        <translation>No hay valores que dibujar.</translation>
    </message>
    <message>
        <source>Not drawn: larger values ({count}), up to {maximum}.</source>
        <translation>No dibujado: valores mayores ({count}), hasta {maximum}.</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>Número</translation>
    </message>
    <message>
        <source>To below</source>
        <translation>Hasta menos de</translation>
    </message>
    <message>
        <source>Series</source>
        <translation>Serie</translation>
    </message>
    <message>
        <source>Lower end</source>
        <translation>Extremo inferior</translation>
    </message>
    <message>
        <source>Upper end</source>
        <translation>Extremo superior</translation>
    </message>
    <message>
        <source>Drawn: {shown} of {total} dots, evenly picked. The JSON form of this report holds them all.</source>
        <translation>Dibujados: {shown} puntos de {total}, elegidos de modo uniforme. La forma JSON de este informe los contiene todos.</translation>
    </message>
    <message>
        <source>Print two pages only: the decision and this audit</source>
        <translation>Imprimir solo dos páginas: la decisión y esta auditoría</translation>
    </message>
    <message>
        <source>Made with {program}</source>
        <translation>Hecho con {program}</translation>
    </message>
    <message>
        <source>The report could not be written to {path}: {reason}. Choose a folder that exists and in which you may write, close the file if another program has it open, and run again.</source>
        <translation>No se pudo escribir el informe en {path}: {reason}. Elija una carpeta que exista y en la que pueda escribir, cierre el archivo si otro programa lo tiene abierto y ejecute de nuevo.</translation>
    </message>
    <message>
        <source>Private: Aggregated areas</source>
        <translation>Privado: zonas agregadas</translation>
    </message>
    <message>
        <source>Release: Regions and their areas</source>
        <translation>Publicación: regiones y sus zonas</translation>
    </message>
    <message>
        <source>Release: Records</source>
        <translation>Publicación: registros</translation>
    </message>
    <message>
        <source>Release: Regions</source>
        <translation>Publicación: regiones</translation>
    </message>
    <message>
        <source>Private: Report of the aggregation</source>
        <translation>Privado: informe de la agregación</translation>
    </message>
    <message>
        <source>Private: Sites</source>
        <translation>Privado: sitios</translation>
    </message>
    <message>
        <source>Private: Combinations</source>
        <translation>Privado: combinaciones</translation>
    </message>
    <message>
        <source>Private: Report of the comparison</source>
        <translation>Privado: informe de la comparación</translation>
    </message>
    <message>
        <source>Aggregate regions and records, report</source>
        <translation>Agregar regiones y registros, informe</translation>
    </message>
    <message>
        <source>Release: Anonymised records</source>
        <translation>Publicación: registros anonimizados</translation>
    </message>
    <message>
        <source>Private: Report of the anonymization</source>
        <translation>Privado: informe de la anonimización</translation>
    </message>
    <message>
        <source>Private: Report of the risk</source>
        <translation>Privado: informe del riesgo</translation>
    </message>
    <message>
        <source>Private: Risk of each record</source>
        <translation>Privado: riesgo de cada registro</translation>
    </message>
    <message>
        <source>Private: Report of the utility</source>
        <translation>Privado: informe de la utilidad</translation>
    </message>
    <message>
        <source>Private: Measures of utility</source>
        <translation>Privado: medidas de la utilidad</translation>
    </message>
    <message>
        <source>Anonymise, measure, report</source>
        <translation>Anonimizar, medir, informe</translation>
    </message>
    <message>
        <source>Fields to anonymise and release (none chosen: those that pass the screening)</source>
        <translation>Campos que anonimizar y publicar (ninguno elegido: los que pasan la criba)</translation>
    </message>
    <message>
        <source>Private: Guesses</source>
        <translation>Privado: conjeturas</translation>
    </message>
    <message>
        <source>Private: Report of the attack</source>
        <translation>Privado: informe del ataque</translation>
    </message>
    <message>
        <source>Release: Masked points</source>
        <translation>Publicación: puntos enmascarados</translation>
    </message>
    <message>
        <source>Private: Report of the masking</source>
        <translation>Privado: informe del enmascaramiento</translation>
    </message>
    <message>
        <source>Private: Secret file</source>
        <translation>Privado: archivo secreto</translation>
    </message>
    <message>
        <source>Private: Withheld records</source>
        <translation>Privado: registros retenidos</translation>
    </message>
    <message>
        <source>Private: Report of the measures</source>
        <translation>Privado: informe de las medidas</translation>
    </message>
    <message>
        <source>Mask by exchange, attack, measure, report</source>
        <translation>Enmascarar por intercambio, atacar, medir, informe</translation>
    </message>
    <message>
        <source>Attributes to release (none chosen: those that pass the screening)</source>
        <translation>Atributos que publicar (ninguno elegido: los que pasan la criba)</translation>
    </message>
    <message>
        <source>Release: Masked points with anonymised fields</source>
        <translation>Publicación: puntos enmascarados con campos anonimizados</translation>
    </message>
    <message>
        <source>Private: Report of the attack on points</source>
        <translation>Privado: informe del ataque a los puntos</translation>
    </message>
    <message>
        <source>Private: People at risk</source>
        <translation>Confidencial: personas en riesgo</translation>
    </message>
    <message>
        <source>Private: Report of the attack on both</source>
        <translation>Confidencial: informe del ataque a ambos</translation>
    </message>
    <message>
        <source>Mask points, anonymise fields, attack both</source>
        <translation>Enmascarar puntos, anonimizar campos, atacar ambos</translation>
    </message>
    <message>
        <source>Fields to release</source>
        <translation>Campos que se publican</translation>
    </message>
    <message>
        <source>Fields that stay as they are (none chosen: all are anonymised)</source>
        <translation>Campos que quedan como están (ninguno elegido: todos se anonimizan)</translation>
    </message>
    <message>
        <source>Method for the fields</source>
        <translation>Método para los campos</translation>
    </message>
    <message>
        <source>Private: Shifts</source>
        <translation>Privado: desplazamientos</translation>
    </message>
    <message>
        <source>Private: Assigned candidates</source>
        <translation>Privado: candidatos asignados</translation>
    </message>
    <message>
        <source>Private: Links</source>
        <translation>Privado: vínculos</translation>
    </message>
    <message>
        <source>Mask, attack, report</source>
        <translation>Enmascarar, atacar, informe</translation>
    </message>
    <message>
        <source>Field that names a person or address</source>
        <translation>Campo que identifica a una persona o dirección</translation>
    </message>
</context>
</TS>

/** ISO 3166-2:UA codes of regions, by the part of their names that the forms of an address share (register.md 3.3). */
const REGION_NAMES: Readonly<Record<string, readonly string[]>> = {
  'UA-05': ['Вінницька', 'Vinnytsia', 'Vinnytska'],
  'UA-07': ['Волинська', 'Volyn', 'Volynska'],
  'UA-09': ['Луганська', 'Luhansk', 'Luhanska'],
  'UA-12': ['Дніпропетровська', 'Dnipropetrovsk', 'Dnipropetrovska'],
  'UA-14': ['Донецька', 'Donetsk', 'Donetska'],
  'UA-18': ['Житомирська', 'Zhytomyr', 'Zhytomyrska'],
  'UA-21': ['Закарпатська', 'Zakarpattia', 'Zakarpatska'],
  'UA-23': ['Запорізька', 'Zaporizhzhia', 'Zaporizka'],
  'UA-26': ['Івано-Франківська', 'Ivano-Frankivsk', 'Ivano-Frankivska'],
  'UA-30': ['Київ', 'Kyiv City'],
  'UA-32': ['Київська', 'Kyiv', 'Kyivska'],
  'UA-35': ['Кіровоградська', 'Kirovohrad', 'Kirovohradska'],
  'UA-40': ['Севастополь', 'Sevastopol'],
  'UA-43': ['Автономна Республіка Крим', 'АР Крим', 'Крим', 'Autonomous Republic of Crimea', 'Crimea'],
  'UA-46': ['Львівська', 'Lviv', 'Lvivska'],
  'UA-48': ['Миколаївська', 'Mykolaiv', 'Mykolaivska'],
  'UA-51': ['Одеська', 'Odesa', 'Odeska'],
  'UA-53': ['Полтавська', 'Poltava', 'Poltavska'],
  'UA-56': ['Рівненська', 'Rivne', 'Rivnenska'],
  'UA-59': ['Сумська', 'Sumy', 'Sumska'],
  'UA-61': ['Тернопільська', 'Ternopil', 'Ternopilska'],
  'UA-63': ['Харківська', 'Kharkiv', 'Kharkivska'],
  'UA-65': ['Херсонська', 'Kherson', 'Khersonska'],
  'UA-68': ['Хмельницька', 'Khmelnytskyi', 'Khmelnytska'],
  'UA-71': ['Черкаська', 'Cherkasy', 'Cherkaska'],
  'UA-74': ['Чернігівська', 'Chernihiv', 'Chernihivska'],
  'UA-77': ['Чернівецька', 'Chernivtsi', 'Chernivetska'],
};

// Words that say what kind of place a name is of.
const KIND_OF_PLACE = /^(?:м\.|м |місто )\s*|\s+(?:область|обл\.?|oblast|region)$/g;

/** The form in which names of regions are compared. */
function foldName(name: string): string {
  return name.normalize('NFC').trim().toLowerCase().replaceAll(KIND_OF_PLACE, '').replaceAll(/['’ʼ]/g, '').trim();
}

const CODES: ReadonlyMap<string, string> = new Map(
  Object.entries(REGION_NAMES).flatMap(([code, names]) => [
    [code.toLowerCase(), code] as const,
    ...names.map((name) => [foldName(name), code] as const),
  ]),
);

/**
 * The ISO 3166-2:UA code of a region: `Київська область`, `Київська обл.`, `UA-32`. A name that is in no table is returned in
 * the form in which names are compared.
 */
export function regionCode(name: string): string {
  const folded = foldName(name);
  return CODES.get(folded) ?? folded;
}

/** A region by its name, in Ukrainian and in English: `Рівненська область`, `Rivne Oblast`. Undefined: there is no such code. */
export function regionNames(code: string): { readonly uk: string; readonly en: string } | undefined {
  const names = Object.hasOwn(REGION_NAMES, code) ? (REGION_NAMES[code] ?? []) : [];
  const [uk] = names;
  const en = names.find((name) => /^[A-Z]/.test(name));
  if (uk === undefined || en === undefined) return undefined;
  // Names of oblasts are adjectives; cities and the republic have none to follow.
  return /[сц]ька$/.test(uk) ? { uk: `${uk} область`, en: `${en} Oblast` } : { uk, en };
}

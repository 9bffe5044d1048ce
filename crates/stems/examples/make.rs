//! Generates `data/uk.fst` and `data/uk.codes` from a Hunspell dictionary: `cargo run -p
//! slovo-stems --example make -- FOLDER`, where FOLDER contains `uk_UA.aff` and `uk_UA.dic`.
//!
//! Only suffix rules are read; the dictionary uses them for Ukrainian inflection.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use slovo_rules::search;

/// Forms that the dictionary lists as separate words although they are forms of another word, which
/// is the first of each line.
const IRREGULAR: &[&str] = &[
    "людина люди людей людям людьми людях люде",
    "дитина діти дітей дітям дітьми дітях",
    "друг друзі друзів друзям друзями друзях",
    "око очі очей очам очима очах",
    "мати матір матері матір'ю матерів матерям матерями матерях",
    "бути є був була було були буду будеш буде будемо будете будуть будь будьте",
    "могти міг могла могло могли можу можеш може можемо можете можуть",
    "йти іти",
];

/// One `SFX` rule: what is removed, what is appended, and how the word must end.
struct Rule {
    cut: String,
    added: String,
    ending: Vec<Class>,
}

/// One character class of a condition.
enum Class {
    Any,
    Of(String),
    Not(String),
}

impl Class {
    fn has(&self, character: char) -> bool {
        match self {
            Self::Any => true,
            Self::Of(list) => list.contains(character),
            Self::Not(list) => !list.contains(character),
        }
    }
}

impl Rule {
    /// The inflected form of a word, if the rule applies to it.
    fn apply(&self, word: &str) -> Option<String> {
        let letters: Vec<char> = word.chars().collect();
        let from = letters.len().checked_sub(self.ending.len())?;
        let fits = letters[from..].iter().zip(&self.ending);
        if !fits.into_iter().all(|(letter, class)| class.has(*letter)) {
            return None;
        }
        let stem = word.strip_suffix(self.cut.as_str())?;
        Some(format!("{stem}{}", self.added))
    }
}

fn main() -> Result<()> {
    let folder = std::env::args().nth(1).context("make FOLDER")?;
    let read = |name: &str| {
        let path = Path::new(&folder).join(name);
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    let rules = rules(&read("uk_UA.aff")?);
    let mut forms = forms(&read("uk_UA.dic")?, &rules);
    for line in IRREGULAR {
        let mut words = line.split(' ');
        let lemma = words.next().context("an empty line of irregular forms")?;
        for form in words {
            forms.insert(form.to_owned(), BTreeSet::from([lemma.to_owned()]));
        }
    }
    write(&forms)
}

fn rules(affixes: &str) -> HashMap<char, Vec<Rule>> {
    let mut rules: HashMap<char, Vec<Rule>> = HashMap::new();
    for line in affixes.lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let ["SFX", flag, cut, added, ending, ..] = fields[..] else {
            continue;
        };
        let nothing_or = |field: &str| if field == "0" { "" } else { field }.to_owned();
        let added = added.split('/').next().unwrap_or_default();
        rules.entry(first(flag)).or_default().push(Rule {
            cut: nothing_or(cut),
            added: nothing_or(added),
            ending: classes(ending),
        });
    }
    rules
}

fn first(flag: &str) -> char {
    flag.chars().next().unwrap_or_default()
}

fn classes(condition: &str) -> Vec<Class> {
    let mut classes = Vec::new();
    let mut rest = condition.chars();
    while let Some(character) = rest.next() {
        classes.push(match character {
            '.' => Class::Any,
            '[' => {
                let list: String = rest.by_ref().take_while(|letter| *letter != ']').collect();
                match list.strip_prefix('^') {
                    Some(not) => Class::Not(not.to_owned()),
                    None => Class::Of(list),
                }
            }
            other => Class::Of(other.to_string()),
        });
    }
    classes
}

/// Each folded form with its dictionary forms.
fn forms(dictionary: &str, rules: &HashMap<char, Vec<Rule>>) -> BTreeMap<String, BTreeSet<String>> {
    let mut forms: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in dictionary.lines().skip(1) {
        let entry = line.split_whitespace().next().unwrap_or_default();
        let (word, flags) = entry.split_once('/').unwrap_or((entry, ""));
        // Abbreviations have no inflected forms.
        let Some(lemma) = folded(word).filter(|_| word.chars().skip(1).all(|c| !c.is_uppercase()))
        else {
            continue;
        };
        let applied = flags
            .chars()
            .filter_map(|flag| rules.get(&flag))
            .flatten()
            .filter_map(|rule| folded(&rule.apply(word)?));
        for form in applied.chain([lemma.clone()]) {
            forms.entry(form).or_default().insert(lemma.clone());
        }
    }
    forms
}

/// The word folded as in a search, if it consists of Ukrainian letters only; a search splits
/// hyphenated words.
fn folded(word: &str) -> Option<String> {
    let folded = search::fold(word).text;
    let ukrainian = |c| {
        matches!(
            c,
            'а'..='щ' | 'ь' | 'ю' | 'я' | 'є' | 'і' | 'ї' | 'ґ' | '\''
        )
    };
    (!folded.is_empty() && folded.chars().all(ukrainian)).then_some(folded)
}

fn write(forms: &BTreeMap<String, BTreeSet<String>>) -> Result<()> {
    let coded: Vec<(&String, String)> = forms
        .iter()
        .map(|(form, lemmas)| {
            let codes: Vec<String> = lemmas.iter().map(|lemma| code(form, lemma)).collect();
            (form, codes.join(" "))
        })
        .collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for (_, codes) in &coded {
        *counts.entry(codes).or_default() += 1;
    }
    // The most frequent codes first: small numbers take less space.
    let mut lines: Vec<(&str, usize)> = counts.into_iter().collect();
    lines.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let numbers: HashMap<&str, u64> = lines.iter().map(|line| line.0).zip(0..).collect();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let mut map = fst::MapBuilder::memory();
    for (form, codes) in &coded {
        map.insert(form, numbers[codes.as_str()])?;
    }
    fs::write(data.join("uk.fst"), map.into_inner()?)?;
    let text: String = lines.iter().map(|line| format!("{}\n", line.0)).collect();
    fs::write(data.join("uk.codes"), text)?;
    println!("{} forms, {} ways from them", coded.len(), lines.len());
    Ok(())
}

/// How many characters to remove from the end of the form, and what to append.
fn code(form: &str, lemma: &str) -> String {
    let same = form.chars().zip(lemma.chars());
    let same = same.take_while(|(one, other)| one == other).count();
    let ending: String = lemma.chars().skip(same).collect();
    format!("{}{ending}", form.chars().count() - same)
}

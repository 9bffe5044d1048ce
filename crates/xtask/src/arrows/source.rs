//! Reads the modules of a crate and the paths that they name, with `syn`.
//!
//! Test code is left out: everything under `#[cfg(test)]` or the feature `testing`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use proc_macro2::{TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItem, Item, Meta, TraitItem, UseTree};

use super::condition::is_for_tests;

/// One module, in a file of its own or inline.
#[derive(Debug, Default)]
pub struct Module {
    /// Module names from the crate's root down; empty for the root itself.
    pub path: Vec<String>,
    pub parent: Option<usize>,
    pub children: BTreeMap<String, usize>,
    /// The file that contains it.
    pub file: PathBuf,
    /// Names that it defines.
    pub items: BTreeSet<String>,
    pub imports: Vec<Import>,
    pub named: Vec<NamedPath>,
    /// Lines of the file without tests; 0 for an inline module, whose lines its file counts.
    pub lines: usize,
}

/// A name that `use` imports into a module, and its path.
#[derive(Debug)]
pub struct Import {
    /// `None` for `use path::*`.
    pub name: Option<String>,
    pub path: Vec<String>,
}

/// A path in a module's code.
#[derive(Debug)]
pub struct NamedPath {
    pub path: Vec<String>,
    pub line: usize,
    /// Whether it may refer to a module: only `use` names modules for their own sake.
    pub is_import: bool,
}

/// Reads a file's text; `None` if the file does not exist.
pub type Files<'a> = &'a dyn Fn(&Path) -> Option<String>;

/// All modules of the crate with the root `file`, parents before children.
///
/// # Errors
/// A module's file is missing or is not valid Rust.
pub fn read(file: &Path, files: Files<'_>) -> Result<Vec<Module>> {
    let mut modules = vec![Module {
        file: file.to_owned(),
        ..Module::default()
    }];
    let folder = file.parent().unwrap_or(Path::new("")).to_owned();
    read_file(&mut modules, 0, &folder, files)?;
    Ok(modules)
}

/// Reads the file of module `own`; `folder` contains the files of its children.
fn read_file(modules: &mut Vec<Module>, own: usize, folder: &Path, files: Files<'_>) -> Result<()> {
    let file = modules[own].file.clone();
    let display = file.display();
    let text = files(&file).with_context(|| format!("{display} is not there"))?;
    let parsed = syn::parse_file(&text).with_context(|| format!("{display} cannot be read"))?;
    let mut left_out = BTreeSet::new();
    read_items(modules, own, &parsed.items, folder, files, &mut left_out)?;
    modules[own].lines = text.lines().count().saturating_sub(left_out.len());
    Ok(())
}

/// Reads the items of a module; `left_out` collects the lines of tests.
fn read_items(
    modules: &mut Vec<Module>,
    own: usize,
    items: &[Item],
    folder: &Path,
    files: Files<'_>,
    left_out: &mut BTreeSet<usize>,
) -> Result<()> {
    let mut reader = Reader::default();
    for item in items {
        reader.visit_item(item);
    }
    let module = &mut modules[own];
    module.items = reader.items;
    module.imports = reader.imports;
    module.named = reader.named;
    left_out.extend(reader.left_out);
    for item in items {
        let Item::Mod(item) = item else { continue };
        if is_for_tests(&item.attrs) {
            continue;
        }
        let name = item.ident.unraw().to_string();
        let child = modules.len();
        let mut path = modules[own].path.clone();
        path.push(name.clone());
        modules[own].children.insert(name.clone(), child);
        let mut module = Module {
            path,
            parent: Some(own),
            file: modules[own].file.clone(),
            ..Module::default()
        };
        if let Some((_, content)) = &item.content {
            modules.push(module);
            read_items(
                modules,
                child,
                content,
                &folder.join(&name),
                files,
                left_out,
            )?;
            continue;
        }
        let (file, folder) = file_of(&item.attrs, &name, &module.file, folder, files);
        module.file = file;
        modules.push(module);
        read_file(modules, child, &folder, files)?;
    }
    Ok(())
}

/// The file of a module and the folder of its children's files.
fn file_of(
    attributes: &[Attribute],
    name: &str,
    parent: &Path,
    folder: &Path,
    files: Files<'_>,
) -> (PathBuf, PathBuf) {
    if let Some(path) = attributes.iter().find_map(path_of) {
        let beside = parent.parent().unwrap_or(Path::new(""));
        let file = beside.join(path);
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        return (file, folder);
    }
    let inside = folder.join(name);
    let in_folder = inside.join("mod.rs");
    if files(&in_folder).is_some() {
        return (in_folder, inside);
    }
    (folder.join(format!("{name}.rs")), inside)
}

/// The value of `#[path = "…"]`.
fn path_of(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(meta) = &attribute.meta else {
        return None;
    };
    let syn::Expr::Lit(value) = &meta.value else {
        return None;
    };
    match &value.lit {
        syn::Lit::Str(text) if meta.path.is_ident("path") => Some(text.value()),
        _ => None,
    }
}

/// Collects definitions and paths of one module, without inner modules.
#[derive(Default)]
struct Reader {
    items: BTreeSet<String>,
    imports: Vec<Import>,
    named: Vec<NamedPath>,
    left_out: BTreeSet<usize>,
}

impl Reader {
    /// Whether the item is for tests; its lines are not counted then.
    fn skips_for_tests(&mut self, attributes: &[Attribute], item: &impl Spanned) -> bool {
        let is_for_tests = is_for_tests(attributes);
        if is_for_tests {
            let span = item.span();
            self.left_out.extend(span.start().line..=span.end().line);
        }
        is_for_tests
    }

    fn name(&mut self, path: Vec<String>, line: usize, is_import: bool) {
        self.named.push(NamedPath {
            path,
            line,
            is_import,
        });
    }

    fn import(&mut self, before: &[String], tree: &UseTree) {
        let with = |name: &syn::Ident| {
            let mut path = before.to_vec();
            // `use path::{self}` names the path itself.
            if before.is_empty() || name != "self" {
                path.push(name.unraw().to_string());
            }
            path
        };
        let (name, path) = match tree {
            UseTree::Path(tree) => return self.import(&with(&tree.ident), &tree.tree),
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(before, tree);
                }
                return;
            }
            UseTree::Name(tree) => {
                let path = with(&tree.ident);
                (path.last().cloned(), path)
            }
            UseTree::Rename(tree) => (Some(tree.rename.unraw().to_string()), with(&tree.ident)),
            UseTree::Glob(_) => (None, before.to_vec()),
        };
        self.name(path.clone(), tree.span().start().line, true);
        self.imports.push(Import { name, path });
    }

    /// Paths in the unparsed tokens of a macro or an attribute.
    fn tokens(&mut self, tokens: TokenStream, with_strings: bool) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let is_sign = |at: usize, sign: char| match tokens.get(at) {
            Some(TokenTree::Punct(punct)) => punct.as_char() == sign,
            _ => false,
        };
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            match token {
                TokenTree::Group(group) => self.tokens(group.stream(), with_strings),
                TokenTree::Literal(literal) if with_strings => self.string(literal),
                TokenTree::Ident(first) => {
                    let before = |sign| at > 0 && is_sign(at - 1, sign);
                    // A field, a method, a lifetime, a macro variable, or the end of a path that
                    // does not begin with a name.
                    let is_part = ['.', '\'', ':'].into_iter().any(before)
                        && !(before(':') && !(at > 1 && is_sign(at - 2, ':')));
                    let is_variable = before('$') && first != "crate";
                    let line = first.span().start().line;
                    let mut path = vec![first.unraw().to_string()];
                    while is_sign(at + 1, ':')
                        && is_sign(at + 2, ':')
                        && let Some(TokenTree::Ident(next)) = tokens.get(at + 3)
                    {
                        path.push(next.unraw().to_string());
                        at += 3;
                    }
                    if !is_part && !is_variable {
                        self.name(path, line, false);
                    }
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// A path in a string of an attribute, as in `#[serde(with = "crate::hex")]`.
    fn string(&mut self, literal: &proc_macro2::Literal) {
        let text = literal.to_string();
        let text = text.trim_matches('"');
        if text.contains("::")
            && let Ok(path) = syn::parse_str::<syn::Path>(text)
        {
            self.name(names(&path), literal.span().start().line, false);
        }
    }

    /// The name under which other modules refer to an item.
    fn define(&mut self, item: &Item) {
        let name = match item {
            Item::Const(item) => &item.ident,
            Item::Enum(item) => &item.ident,
            Item::Fn(item) => &item.sig.ident,
            Item::Static(item) => &item.ident,
            Item::Struct(item) => &item.ident,
            Item::Trait(item) => &item.ident,
            Item::TraitAlias(item) => &item.ident,
            Item::Type(item) => &item.ident,
            Item::Union(item) => &item.ident,
            Item::Macro(item) => match &item.ident {
                Some(name) => name,
                None => return,
            },
            _ => return,
        };
        self.items.insert(name.unraw().to_string());
    }
}

fn names(path: &syn::Path) -> Vec<String> {
    let segments = path.segments.iter();
    segments
        .map(|segment| segment.ident.unraw().to_string())
        .collect()
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes: &[Attribute] = match item {
            Item::Const(item) => &item.attrs,
            Item::Enum(item) => &item.attrs,
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Macro(item) => &item.attrs,
            Item::Mod(item) => &item.attrs,
            Item::Static(item) => &item.attrs,
            Item::Struct(item) => &item.attrs,
            Item::Trait(item) => &item.attrs,
            Item::Type(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            _ => &[],
        };
        if self.skips_for_tests(attributes, item) || matches!(item, Item::Mod(_)) {
            return;
        }
        self.define(item);
        visit::visit_item(self, item);
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        let attributes: &[Attribute] = match item {
            ImplItem::Const(item) => &item.attrs,
            ImplItem::Fn(item) => &item.attrs,
            ImplItem::Type(item) => &item.attrs,
            _ => &[],
        };
        if !self.skips_for_tests(attributes, item) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        let attributes: &[Attribute] = match item {
            TraitItem::Const(item) => &item.attrs,
            TraitItem::Fn(item) => &item.attrs,
            TraitItem::Type(item) => &item.attrs,
            _ => &[],
        };
        if !self.skips_for_tests(attributes, item) {
            visit::visit_trait_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if item.leading_colon.is_none() {
            self.import(&[], &item.tree);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_none() {
            self.name(names(path), path.span().start().line, false);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        visit::visit_macro(self, called);
        self.tokens(called.tokens.clone(), false);
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if let Meta::List(list) = &attribute.meta {
            self.tokens(list.tokens.clone(), true);
        }
    }
}

//! Checks that the SQL statements of `crates/db` have names: the first argument of `sqlx::query` and
//! its relatives (`QUERIES`) is a constant from `statements!` or the result of a function, which
//! belongs in `built_statements!`. What these register is prepared on both databases by a test of
//! that crate; a text written at the call would not be.
//!
//! Not seen: statements run in other ways, such as `connection.execute("…")`, `begin_with` and
//! `QueryBuilder`; calls without `sqlx::`; and whether a function is registered, or what a parameter
//! contains.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, ImplItem, Item, Pat, Stmt};

use crate::arrows::condition::is_for_tests;
use crate::arrows::source;

#[cfg(test)]
mod tests;

const ROOT: &str = "crates/db/src/lib.rs";

/// The functions of sqlx whose first argument is a statement.
const QUERIES: [&str; 7] = [
    "query",
    "query_as",
    "query_scalar",
    "query_scalar_with",
    "query_with",
    "raw_sql",
    "query_as_with",
];

/// Fails on every statement that has no name.
pub fn check(root: &Path) -> Result<()> {
    let read = |path: &Path| fs::read_to_string(root.join(path)).ok();
    let modules = source::read(Path::new(ROOT), &read)?;
    let files: BTreeSet<_> = modules.into_iter().map(|module| module.file).collect();
    let mut found = Vec::new();
    for file in &files {
        let display = file.to_string_lossy();
        let text = read(file).with_context(|| format!("{display} is not there"))?;
        let unnamed = unnamed(&text).with_context(|| format!("{display} cannot be read"))?;
        found.extend(
            unnamed
                .iter()
                .map(|(line, fault)| format!("{display}:{line}: {fault}")),
        );
    }
    if found.is_empty() {
        return Ok(());
    }
    bail!("statements without a name:\n  {}", found.join("\n  "))
}

/// The lines of a file where a statement without a name is run, and why.
fn unnamed(text: &str) -> syn::Result<Vec<(usize, String)>> {
    let file = syn::parse_file(text)?;
    let mut constants = Constants::default();
    constants.visit_file(&file);
    let mut reader = Reader {
        unregistered: constants.names,
        bindings: BTreeMap::new(),
        found: Vec::new(),
    };
    reader.visit_file(&file);
    Ok(reader.found)
}

/// Constants defined outside `statements!`, whose content syn does not parse.
#[derive(Default)]
struct Constants {
    names: BTreeSet<String>,
}

impl<'ast> Visit<'ast> for Constants {
    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.names.insert(item.ident.to_string());
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.names.insert(item.ident.to_string());
    }
}

/// Finds queries and checks their statements.
struct Reader<'ast> {
    unregistered: BTreeSet<String>,
    /// The values of the local variables of the current function.
    bindings: BTreeMap<String, Vec<&'ast Expr>>,
    found: Vec<(usize, String)>,
}

impl<'ast> Reader<'ast> {
    /// Remembers what a pattern's variables may be.
    fn bind(&mut self, pattern: &'ast Pat, values: &[&'ast Expr]) {
        match pattern {
            Pat::Ident(name) => self
                .bindings
                .entry(name.ident.unraw().to_string())
                .or_default()
                .extend(values),
            Pat::Type(typed) => self.bind(&typed.pat, values),
            Pat::Tuple(tuple) => {
                for (at, pattern) in tuple.elems.iter().enumerate() {
                    let values: Vec<_> = values
                        .iter()
                        .filter_map(|value| match value {
                            Expr::Tuple(value) => value.elems.get(at),
                            _ => None,
                        })
                        .collect();
                    self.bind(pattern, &values);
                }
            }
            _ => {}
        }
    }

    /// Why this is not a named statement; `None` if it is.
    fn fault(&self, value: &'ast Expr, visited: &mut BTreeSet<String>) -> Option<String> {
        result_expressions(value)
            .into_iter()
            .find_map(|value| self.fault_of_tail(value, visited))
    }

    fn fault_of_tail(&self, value: &'ast Expr, visited: &mut BTreeSet<String>) -> Option<String> {
        match value {
            Expr::Lit(_) => Some("the statement is written here; give it a name".to_owned()),
            Expr::Macro(_) | Expr::Binary(_) => Some(
                "the statement is put together here; do it in a constant or a function".to_owned(),
            ),
            Expr::Call(call) => match &*call.func {
                Expr::Path(function) if ends_with(&function.path, &["AssertSqlSafe"]) => call
                    .args
                    .first()
                    .and_then(|argument| self.fault(argument, visited)),
                Expr::Path(function)
                    if ends_with(&function.path, &["String", "from"])
                        || ends_with(&function.path, &["String", "new"]) =>
                {
                    Some("the statement is put together here; do it in a function".to_owned())
                }
                _ => None,
            },
            // `text.to_owned()` is the text; other methods are builders.
            Expr::MethodCall(call) if call.args.is_empty() => self.fault(&call.receiver, visited),
            Expr::Path(path) => {
                let name = path.path.get_ident()?.unraw().to_string();
                if self.unregistered.contains(&name) {
                    return Some(format!("the constant {name} is not in statements!"));
                }
                if !visited.insert(name.clone()) {
                    return None;
                }
                let values = self.bindings.get(&name)?;
                values.iter().find_map(|value| self.fault(value, visited))
            }
            _ => None,
        }
    }

    /// Reads a function, whose variables are its own.
    fn function(&mut self, block: &'ast syn::Block) {
        let outer = std::mem::take(&mut self.bindings);
        self.visit_block(block);
        self.bindings = outer;
    }
}

/// The expressions one of which is the value of this one.
fn result_expressions(value: &Expr) -> Vec<&Expr> {
    match value {
        Expr::Paren(inner) => result_expressions(&inner.expr),
        Expr::Group(inner) => result_expressions(&inner.expr),
        Expr::Reference(inner) => result_expressions(&inner.expr),
        Expr::Match(inner) => inner
            .arms
            .iter()
            .flat_map(|arm| result_expressions(&arm.body))
            .collect(),
        Expr::Block(inner) => last(&inner.block),
        Expr::If(inner) => {
            let mut values = last(&inner.then_branch);
            if let Some((_, other)) = &inner.else_branch {
                values.extend(result_expressions(other));
            }
            values
        }
        other => vec![other],
    }
}

/// The values of a block.
fn last(block: &syn::Block) -> Vec<&Expr> {
    match block.stmts.last() {
        Some(Stmt::Expr(value, None)) => result_expressions(value),
        _ => Vec::new(),
    }
}

/// Whether a path ends with these names.
fn ends_with(path: &syn::Path, names: &[&str]) -> bool {
    let found = path.segments.iter().rev();
    found.len() >= names.len() && found.zip(names.iter().rev()).all(|(a, b)| a.ident == b)
}

fn attributes(item: &Item) -> &[syn::Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        _ => &[],
    }
}

impl<'ast> Visit<'ast> for Reader<'ast> {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_for_tests(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.block);
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        match item {
            ImplItem::Fn(item) if is_for_tests(&item.attrs) => {}
            ImplItem::Fn(item) => self.function(&item.block),
            other => visit::visit_impl_item(self, other),
        }
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let Some(init) = &local.init {
            self.bind(&local.pat, &result_expressions(&init.expr));
        }
        visit::visit_local(self, local);
    }

    fn visit_expr_for_loop(&mut self, run: &'ast syn::ExprForLoop) {
        if let Expr::Array(values) = &*run.expr {
            let values: Vec<_> = values.elems.iter().collect();
            self.bind(&run.pat, &values);
        }
        visit::visit_expr_for_loop(self, run);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        let is_query = matches!(&*call.func, Expr::Path(function)
            if QUERIES.iter().any(|name| ends_with(&function.path, &["sqlx", name])));
        if is_query && let Some(statement) = call.args.first() {
            let fault = self.fault(statement, &mut BTreeSet::new());
            let line = statement.span().start().line;
            self.found.extend(fault.map(|fault| (line, fault)));
        }
        visit::visit_expr_call(self, call);
    }
}

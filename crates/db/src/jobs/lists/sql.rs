//! The SQL of lists.

use uuid::Uuid;

use super::source::{From, MAX_KINDS, Search, has_period};
use crate::core::connect::Backend;
use crate::core::statement::built_statements;
use crate::jobs::figures::Kind;
use crate::jobs::names;
use crate::jobs::orders::SortKey;
use crate::jobs::statements::COLUMNS;

/// The user's jobs in the filtered time.
const JOBS_IN_PERIOD: &str = "SELECT t.my_job_id FROM synced_jobs t \
     WHERE t.auth_user_id = $5 AND t.created_at >= $2 AND t.created_at < $3";

built_statements! {
    statement: BOTH -> crate::jobs::Job, crate::jobs::orders::ByDate,
        crate::jobs::orders::ByName, crate::jobs::orders::ByLength = super::tests::texts;
}

impl Search<'_> {
    /// The SQL; `bind` returns the number of a new text parameter. The parameters before these are
    /// numbers, except the first, which is the position.
    pub(super) fn statement(&self, bind: &mut impl FnMut(&str) -> usize) -> String {
        let order = self.filter().order;
        let (value, (_, way)) = (order.value(), order.direction());
        let sorted = format!("ORDER BY {value} {way}, j.my_job_id {way}");
        if matches!(self.from, From::All) {
            // Read in order from `synced_jobs` itself, without a second lookup by id.
            let conditions = self.conditions(bind);
            return format!(
                "SELECT {COLUMNS}, j.name_key FROM synced_jobs j {conditions} {sorted} LIMIT $4"
            );
        }
        let places = match &self.from {
            From::Kinds if self.scope.kinds.len() <= MAX_KINDS => self.merged(bind),
            From::All | From::Kinds => self.sorted(bind),
            From::Grouped => self.grouped(bind),
            From::Named => self.named(bind),
            From::Candidates { named } => self.candidates(named.as_deref(), bind),
        };
        format!(
            "SELECT {COLUMNS}, j.name_key FROM ({places}) place CROSS JOIN synced_jobs j \
             WHERE j.my_job_id = place.my_job_id {sorted}"
        )
    }

    /// The jobs of many kinds, in their order.
    fn sorted(&self, bind: &mut impl FnMut(&str) -> usize) -> String {
        let order = self.filter().order;
        let (value, (_, way)) = (order.value(), order.direction());
        let conditions = self.conditions(&mut *bind);
        let kinds = self.of_kinds(bind);
        format!(
            "SELECT {value} AS sorted_by, j.my_job_id FROM synced_jobs j {conditions} {kinds} \
             ORDER BY {value} {way}, j.my_job_id {way} LIMIT $4"
        )
    }

    /// The merged lists of all kinds.
    fn merged(&self, bind: &mut impl FnMut(&str) -> usize) -> String {
        let order = self.filter().order;
        let (value, (_, way)) = (order.value(), order.direction());
        let conditions = self.conditions(&mut *bind);
        // Without statistics SQLite would read all jobs of the user in their order.
        let index = match self.scope.backend {
            Backend::Sqlite => format!("INDEXED BY {}", order.index_of_kinds()),
            Backend::Postgres => String::new(),
        };
        let list_of = |kind: &Kind| {
            format!(
                "SELECT one.sorted_by, one.my_job_id FROM (SELECT {value} AS sorted_by, \
                 j.my_job_id FROM synced_jobs j {index} {conditions} \
                 AND j.status = ${} AND j.transcription_type = ${} \
                 AND COALESCE(j.language, '') = ${} \
                 ORDER BY {value} {way}, j.my_job_id {way} LIMIT $4) one",
                bind(&kind.status),
                bind(&kind.mode),
                bind(&kind.language)
            )
        };
        let lists: Vec<String> = self.scope.kinds.iter().map(list_of).collect();
        let all = lists.join(" UNION ALL ");
        format!("{all} ORDER BY sorted_by {way}, my_job_id {way} LIMIT $4")
    }

    /// The jobs of the first group.
    fn grouped(&self, bind: &mut impl FnMut(&str) -> usize) -> String {
        let order = self.filter().order;
        let (value, grouped, (sign, way)) = (order.value(), order.grouped(), order.direction());
        let group = self.filter().groups.first().map(Uuid::to_string);
        let group = bind(&group.unwrap_or_default());
        let job = names::join_job(self.scope.backend);
        let conditions = self.conditions(&mut *bind);
        let kinds = self.of_kinds(bind);
        format!(
            "SELECT {value} AS sorted_by, j.my_job_id \
             FROM grouped_jobs found CROSS JOIN {job} {conditions} \
             AND found.group_id = ${group} AND j.my_job_id = found.my_job_id \
             AND ({grouped}, found.my_job_id) {sign} ($1, $6) {kinds} \
             ORDER BY {grouped} {way}, found.my_job_id {way} LIMIT $4"
        )
    }

    /// The jobs with the name. The names are read from the index alone; of the jobs only those with
    /// this name are read.
    fn named(&self, bind: &mut impl FnMut(&str) -> usize) -> String {
        let (sign, way) = self.filter().order.direction();
        let name = bind(&self.filter().name.to_lowercase());
        let has_name = names::has_name(self.scope.backend, "found", name);
        let job = names::join_job(self.scope.backend);
        let mut conditions = self.of_groups(0, &mut *bind);
        conditions += &self.of_kinds(bind);
        if has_period(self.filter()) {
            conditions += IN_PERIOD;
        }
        format!(
            "SELECT found.name_key AS sorted_by, found.my_job_id FROM synced_jobs found \
             CROSS JOIN {job} WHERE found.auth_user_id = $5 AND found.is_visible_to_user = 1 \
             AND (found.name_key, found.my_job_id) {sign} ($1, $6) AND {has_name} \
             AND j.my_job_id = found.my_job_id {conditions} \
             ORDER BY found.name_key {way}, found.my_job_id {way} LIMIT $4"
        )
    }

    /// The jobs among a few candidates.
    fn candidates(&self, named: Option<&str>, bind: &mut impl FnMut(&str) -> usize) -> String {
        let backend = self.scope.backend;
        let order = self.filter().order;
        let (value, (_, way)) = (order.value(), order.direction());
        let found = match named {
            Some(index_query) => names::candidates(backend, bind(index_query), names::FREQUENT),
            None => format!("({JOBS_IN_PERIOD} LIMIT {})", names::FREQUENT),
        };
        let job = names::join_job(backend);
        let conditions = self.conditions(&mut *bind);
        let kinds = self.of_kinds(bind);
        // The inner limit keeps both databases from scanning all jobs instead.
        format!(
            "SELECT few.sorted_by, few.my_job_id FROM (SELECT {value} AS sorted_by, j.my_job_id \
             FROM {found} found CROSS JOIN {job} {conditions} \
             AND j.my_job_id = found.my_job_id {kinds} \
             LIMIT {}) few ORDER BY sorted_by {way}, my_job_id {way} LIMIT $4",
            names::FREQUENT
        )
    }

    /// The conditions of the list, independent of the source: the user's visible jobs after the
    /// position, as far as an index has them in order, and the filters.
    fn conditions(&self, bind: &mut impl FnMut(&str) -> usize) -> String {
        let filter = self.filter();
        let order = filter.order;
        let (value, (sign, _)) = (order.value(), order.direction());
        let mut conditions = format!(
            "WHERE j.auth_user_id = $5 AND j.is_visible_to_user = 1 \
             AND ({value}, j.my_job_id) {sign} ($1, $6)"
        );
        // For an indexed expression SQLite needs this explicit bound to start inside the index; for
        // an indexed column it does not.
        if order.by == SortKey::Length {
            conditions += &format!(" AND {value} {sign}= $1");
        }
        // In another order and without a time filter, this condition would make PostgreSQL expect
        // few jobs and sort them.
        if has_period(filter) || order.by == SortKey::Date {
            conditions += IN_PERIOD;
        }
        if !filter.name.is_empty() {
            let number = bind(&filter.name.to_lowercase());
            conditions += &format!(" AND {}", names::has_name(self.scope.backend, "j", number));
        }
        // The source already restricts the list to its first group.
        let known = usize::from(matches!(self.from, From::Grouped));
        conditions += &self.of_groups(known, bind);
        conditions
    }

    /// The condition for jobs in all groups but the first `known` ones.
    fn of_groups(&self, known: usize, bind: &mut impl FnMut(&str) -> usize) -> String {
        let of_group = |group: &Uuid| {
            format!(
                " AND EXISTS (SELECT 1 FROM grouped_jobs o \
                 WHERE o.my_job_id = j.my_job_id AND o.group_id = ${})",
                bind(&group.to_string())
            )
        };
        let groups = self.filter().groups.iter().skip(known);
        groups.map(of_group).collect()
    }

    /// The condition for jobs of the kinds; empty without kinds.
    fn of_kinds(&self, bind: &mut impl FnMut(&str) -> usize) -> String {
        let values_of = |kind: &Kind| {
            format!(
                "(${}, ${}, ${})",
                bind(&kind.status),
                bind(&kind.mode),
                bind(&kind.language)
            )
        };
        let kinds: Vec<String> = self.scope.kinds.iter().map(values_of).collect();
        match kinds.is_empty() {
            true => String::new(),
            false => format!(
                " AND (j.status, j.transcription_type, COALESCE(j.language, '')) IN (VALUES {})",
                kinds.join(", ")
            ),
        }
    }
}

/// The condition for jobs in the filtered time.
const IN_PERIOD: &str = " AND j.created_at >= $2 AND j.created_at < $3";

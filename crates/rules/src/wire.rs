//! One macro for the enums that travel as a string: JSON, TypeScript union, OpenAPI enum,
//! `ALL`, `as_str` and `parse` come from one list and cannot drift apart.

/// Defines a fieldless enum whose variants have one fixed name on the wire.
macro_rules! wire_enum {
    (
        $(#[$meta:meta])*
        $name:ident { $( $(#[$variant_meta:meta])* $variant:ident => $wire:literal ),+ $(,)? }
    ) => {
        $(#[$meta])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash,
            serde::Serialize, serde::Deserialize,
        )]
        #[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        pub enum $name {
            $( $(#[$variant_meta])* #[serde(rename = $wire)] $variant, )+
        }

        impl $name {
            /// All values, in the order of their definition.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name used in JSON, in the database and in locale keys.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $( Self::$variant => $wire, )+ }
            }

            /// The value of this name; the comparison is exact.
            #[must_use]
            pub fn parse(name: &str) -> Option<Self> {
                match name { $( $wire => Some(Self::$variant), )+ _ => None }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

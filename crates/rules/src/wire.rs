//! Enums that are serialised as strings. One macro defines them, so that JSON, TypeScript union,
//! OpenAPI enum, `ALL`, `as_str` and `parse` come from one list and cannot diverge.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserializer, Error, Unexpected, Visitor};

/// An enum whose values each have one fixed serialised name.
pub trait WireName: Copy + 'static {
    /// All values, in the order of their definition.
    const VALUES: &'static [Self];

    /// The name used in JSON, in the database and in locale keys.
    fn name(self) -> &'static str;

    /// The value of this name; the comparison is exact.
    #[must_use]
    fn of_name(name: &str) -> Option<Self> {
        Self::VALUES
            .iter()
            .copied()
            .find(|value| value.name() == name)
    }
}

/// Deserialises a value from its name. Shared by all enums: derived code would take kilobytes for
/// each of them, and browsers download it.
pub(crate) fn deserialize<'de, T: WireName, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    deserializer.deserialize_str(NameVisitor(PhantomData))
}

struct NameVisitor<T>(PhantomData<T>);

impl<T: WireName> Visitor<'_> for NameVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one of")?;
        T::VALUES
            .iter()
            .try_for_each(|value| write!(f, " `{}`", value.name()))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<T, E> {
        T::of_name(name).ok_or_else(|| E::invalid_value(Unexpected::Str(name), &self))
    }
}

/// Defines a fieldless enum whose variants each have one fixed serialised name.
macro_rules! wire_enum {
    (
        $(#[$meta:meta])*
        $name:ident { $( $(#[$variant_meta:meta])* $variant:ident => $wire:literal ),+ $(,)? }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        pub enum $name {
            $(
                $(#[$variant_meta])*
                #[cfg_attr(feature = "wasm", serde(rename = $wire))]
                #[cfg_attr(feature = "openapi", schema(rename = $wire))]
                $variant,
            )+
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
                <Self as $crate::wire::WireName>::of_name(name)
            }
        }

        impl $crate::wire::WireName for $name {
            const VALUES: &'static [Self] = Self::ALL;

            fn name(self) -> &'static str {
                self.as_str()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                $crate::wire::deserialize(deserializer)
            }
        }
    };
}

//! What a crate says to users stands in one enum of messages, each with its text. `cargo xtask messages` lists them.

/// Declares an enum of messages and how each is displayed. Texts name the fields of their message in braces, as [`format!`] takes them.
///
/// ```
/// jinsi_wording::messages! {
///     /// What is said at the end.
///     pub enum Message<'a> {
///         /// Nothing failed.
///         NoFailure => "no failure was recorded",
///         /// Something did.
///         Failures { count: usize, file: &'a str } => "{count} failures are in {file}",
///     }
/// }
/// assert_eq!(Message::NoFailure.to_string(), "no failure was recorded");
/// let two = Message::Failures { count: 2, file: "run.jinsi" };
/// assert_eq!(two.to_string(), "2 failures are in run.jinsi");
/// ```
#[macro_export]
macro_rules! messages {
    (
        $(#[$of_enum:meta])*
        $visibility:vis enum $name:ident $(<$life:lifetime>)? {
            $(
                $(#[$of_variant:meta])*
                $variant:ident $({ $($(#[$of_field:meta])* $field:ident : $kind:ty),+ $(,)? })? => $text:literal
            ),+ $(,)?
        }
    ) => {
        $(#[$of_enum])*
        #[derive(Debug)]
        $visibility enum $name $(<$life>)? {
            $(
                $(#[$of_variant])*
                $variant $({ $($(#[$of_field])* $field: $kind),+ })?
            ),+
        }

        impl $(<$life>)? ::std::fmt::Display for $name $(<$life>)? {
            fn fmt(&self, to: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                match self {
                    $(Self::$variant $({ $($field),+ })? => ::std::write!(to, $text)),+
                }
            }
        }
    };
}

//! The macro `#[derive(Holloway)]`: structs and enums of Rust as types of programs.
//!
//! In: a struct with named fields, or an enum whose variants have payloads without names. Out: implementations of
//! `holloway::Type` and `holloway::Param`. Invariants: the type of programs has the name, the fields and the variants of
//! the Rust type, in the same order; what programs have no type for is an error at the item that asks for it.
#![forbid(unsafe_code)]

use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use quote::{format_ident, quote};
use syn::{Data, DeriveInput, Error, Fields, FieldsNamed, Variant, parse_macro_input};

/// Makes a struct or an enum a type of programs.
#[proc_macro_derive(Holloway)]
pub fn derive(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    implementations(&input).unwrap_or_else(Error::into_compile_error).into()
}

fn implementations(input: &DeriveInput) -> syn::Result<Tokens> {
    if !input.generics.params.is_empty() {
        return Err(Error::new_spanned(&input.generics, "a type of programs has no parameters"));
    }
    let conversions = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => of_struct(input, fields),
            other => Err(Error::new_spanned(other, "a struct of programs has named fields")),
        },
        Data::Enum(data) => of_enum(input, &data.variants.iter().collect::<Vec<_>>()),
        Data::Union(_) => Err(Error::new_spanned(input, "programs have structs and enums, but no unions")),
    }?;
    let name = &input.ident;
    Ok(quote! {
        #[automatically_derived]
        impl ::holloway::Type for #name {
            #conversions
        }

        #[automatically_derived]
        impl ::holloway::Param for #name {
            type Item<'a> = #name;

            fn describe() -> ::holloway::Described {
                <#name as ::holloway::Type>::describe()
            }

            fn of(
                _: &::holloway::Given,
                program: &mut ::holloway::Program<'_>,
                ty: ::holloway::TypeRef,
                word: ::holloway::Word,
            ) -> ::core::result::Result<#name, ::holloway::CallError> {
                <#name as ::holloway::Type>::of_word(program, ty, word)
            }
        }
    })
}

fn of_struct(input: &DeriveInput, fields: &FieldsNamed) -> syn::Result<Tokens> {
    let name = plain(&input.ident);
    let idents: Vec<_> = fields.named.iter().filter_map(|field| field.ident.as_ref()).collect();
    let names: Vec<String> = idents.iter().map(|ident| plain(ident)).collect();
    let types: Vec<_> = fields.named.iter().map(|field| &field.ty).collect();
    let count = idents.len();
    Ok(quote! {
        fn describe() -> ::holloway::Described {
            ::holloway::Described::Struct(#name, || {
                ::std::vec![#((#names, <#types as ::holloway::Type>::describe())),*]
            })
        }

        fn of_value(value: ::holloway::Value) -> ::core::result::Result<Self, ::holloway::CallError> {
            let fields = value.fields_of(#name, #count)?;
            ::core::result::Result::Ok(Self { #(#idents: fields.get(#names)?),* })
        }

        fn into_value(self) -> ::holloway::Value {
            let fields: ::std::vec::Vec<(&str, ::holloway::Value)> =
                ::std::vec![#((#names, <#types as ::holloway::Type>::into_value(self.#idents))),*];
            ::holloway::Value::structure(#name, fields)
        }
    })
}

fn of_enum(input: &DeriveInput, variants: &[&Variant]) -> syn::Result<Tokens> {
    let name = plain(&input.ident);
    let (mut described, mut read, mut made) = (Vec::new(), Vec::new(), Vec::new());
    for variant in variants {
        let (ident, text) = (&variant.ident, plain(&variant.ident));
        let types: Vec<_> = match &variant.fields {
            Fields::Unit => Vec::new(),
            Fields::Unnamed(fields) => fields.unnamed.iter().map(|field| &field.ty).collect(),
            Fields::Named(_) => {
                return Err(Error::new_spanned(variant, "the payloads of a variant of programs have no names"));
            }
        };
        let parts: Vec<_> = (0..types.len()).map(|at| format_ident!("part{at}")).collect();
        let count = types.len();
        let numbers = 0..count;
        described.push(quote! { (#text, ::std::vec![#(<#types as ::holloway::Type>::describe()),*]) });
        let (pattern, value) = match &variant.fields {
            Fields::Unit => (quote! { Self::#ident }, quote! { Self::#ident }),
            _ => (quote! { Self::#ident(#(#parts),*) }, quote! { Self::#ident(#(value.payload(#numbers)?),*) }),
        };
        read.push(quote! { ::core::option::Option::Some((#text, payloads)) if payloads.len() == #count => #value });
        made.push(quote! {
            #pattern => ::holloway::Value::variant(
                #text,
                ::std::vec![#(<#types as ::holloway::Type>::into_value(#parts)),*],
            )
        });
    }
    Ok(quote! {
        fn describe() -> ::holloway::Described {
            ::holloway::Described::Enum(#name, || ::std::vec![#(#described),*])
        }

        fn of_value(value: ::holloway::Value) -> ::core::result::Result<Self, ::holloway::CallError> {
            ::core::result::Result::Ok(match value.as_variant() {
                #(#read,)*
                _ => return ::core::result::Result::Err(value.is_no(#name)),
            })
        }

        fn into_value(self) -> ::holloway::Value {
            match self {
                #(#made),*
            }
        }
    })
}

/// A name without the mark of a raw one.
fn plain(ident: &syn::Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#").map(str::to_owned).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::implementations;
    use syn::{DeriveInput, parse_quote};

    /// The error at a type that cannot be one of programs.
    fn error(input: &DeriveInput) -> String {
        implementations(input).expect_err("it is refused").to_string()
    }

    #[test]
    fn wrong_types_are_errors_that_say_why() {
        let parameters = "a type of programs has no parameters";
        assert_eq!(error(&parse_quote! { struct Pair<T> { first: T, second: T } }), parameters);
        assert_eq!(error(&parse_quote! { struct Name<'a> { text: &'a str } }), parameters);
        assert_eq!(error(&parse_quote! { enum Side<const N: usize> { Left([i64; N]) } }), parameters);
        let fields = "a struct of programs has named fields";
        assert_eq!(error(&parse_quote! { struct Meters(f64); }), fields);
        assert_eq!(error(&parse_quote! { struct Nothing; }), fields);
        let payloads = "the payloads of a variant of programs have no names";
        assert_eq!(error(&parse_quote! { enum Shape { Empty, Circle { radius: f64 } } }), payloads);
        let union = "programs have structs and enums, but no unions";
        assert_eq!(error(&parse_quote! { union Bits { int: i64, float: f64 } }), union);
    }

    /// An error takes the place of all that would be made.
    #[test]
    fn an_error_is_all_that_comes_out() {
        let input: DeriveInput = parse_quote! { enum Shape { Square(f64), Circle { radius: f64 } } };
        let tokens = implementations(&input).unwrap_or_else(syn::Error::into_compile_error).to_string();
        assert!(tokens.contains("compile_error !") && !tokens.contains("impl"), "{tokens}");
    }

    #[test]
    fn what_is_made_names_its_items_in_full() {
        let input: DeriveInput = parse_quote! { struct Point { x: f64, r#type: i64 } };
        let tokens = implementations(&input).expect("it is a type of programs").to_string();
        assert!(tokens.contains(r#"("x" , < f64 as :: holloway :: Type > :: describe ())"#), "{tokens}");
        assert!(tokens.contains(r#"r#type : fields . get ("type") ?"#), "{tokens}");
        for name in ["Result", "Option", "Vec", "Value", "String"] {
            let bare = tokens.match_indices(name).find(|(at, _)| !tokens[..*at].ends_with(":: "));
            assert_eq!(bare, None, "the crate that derives may have a `{name}` of its own: {tokens}");
        }
    }
}

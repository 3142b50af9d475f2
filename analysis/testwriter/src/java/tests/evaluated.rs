//! What expressions are in Java, evaluated on the tree.

use jinsi_trace::model::Prim;

use super::super::{
    JavaExpr, JavaStmt, JavaType, LambdaBody, Node, Operator, Primitive, Target, Variable,
};

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Prim(Prim),
    Text(Vec<u16>),
    Null,
    Ints(Vec<i32>),
    Class(JavaType),
    Function(JavaExpr, Scope),
}

/// Variables and what they are, the latest last.
pub(super) type Scope = Vec<(Variable, Value)>;

impl Value {
    fn int(&self) -> i32 {
        match self {
            Self::Prim(Prim::Int(v)) => *v,
            other => panic!("{other:?} is no int"),
        }
    }

    fn is_true(&self) -> bool {
        *self == Self::Prim(Prim::Boolean(true))
    }

    fn units(&self) -> Vec<u16> {
        let text = match self {
            Self::Text(units) => return units.clone(),
            Self::Null => "null".to_owned(),
            Self::Prim(Prim::Char(unit)) => return vec![*unit],
            Self::Prim(Prim::Boolean(v)) => v.to_string(),
            Self::Prim(Prim::Byte(v)) => v.to_string(),
            Self::Prim(Prim::Int(v)) => v.to_string(),
            Self::Prim(Prim::Long(v)) => v.to_string(),
            other => panic!("{other:?} has no text"),
        };
        text.encode_utf16().collect()
    }

    /// The value as the Java program shows it.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Prim(Prim::Boolean(v)) => v.to_string(),
            Self::Prim(Prim::Byte(v)) => v.to_string(),
            Self::Prim(Prim::Short(v)) => v.to_string(),
            Self::Prim(Prim::Char(v)) => v.to_string(),
            Self::Prim(Prim::Int(v)) => v.to_string(),
            Self::Prim(Prim::Long(v)) => v.to_string(),
            Self::Prim(Prim::Float(v)) if v.is_nan() => "NaN".into(),
            Self::Prim(Prim::Float(v)) => (v.to_bits() as i32).to_string(),
            Self::Prim(Prim::Double(v)) if v.is_nan() => "NaN".into(),
            Self::Prim(Prim::Double(v)) => (v.to_bits() as i64).to_string(),
            Self::Text(units) => format!("{units:?}"),
            Self::Ints(all) => format!("{all:?}"),
            Self::Null => "null".into(),
            Self::Class(ty) => class_name(ty),
            Self::Function(..) => panic!("a function is not shown"),
        }
    }
}

/// `Class.getName`.
fn class_name(ty: &JavaType) -> String {
    match ty {
        JavaType::Primitive(primitive) => primitive.keyword().to_owned(),
        JavaType::Class(name, _) => name.replace('/', "."),
        JavaType::Array(element) => match &**element {
            JavaType::Primitive(primitive) => {
                let at = Primitive::ALL.iter().position(|p| p == primitive).unwrap();
                format!("[{}", &"ZBCSIJFD"[at..=at])
            }
            JavaType::Class(name, _) => format!("[L{};", name.replace('/', ".")),
            inner => format!("[{}", class_name(inner)),
        },
        other => panic!("{other:?} has no class"),
    }
}

pub(super) fn value(expr: &JavaExpr, scope: &Scope) -> Value {
    let of = |part: &JavaExpr| value(part, scope);
    match &expr.node {
        Node::Literal(prim) => Value::Prim(*prim),
        Node::Text(text) => Value::Text(text.0.to_vec()),
        Node::Null => Value::Null,
        Node::ClassLiteral(ty) => Value::Class(ty.clone()),
        Node::Name(name) => {
            let mut all = scope.iter().rev();
            let found = all.find(|(variable, _)| variable == name);
            found.map(|(_, value)| value.clone()).unwrap()
        }
        Node::Field(Target::Of(array), name) if name == "length" => match of(array) {
            Value::Ints(all) => Value::Prim(Prim::Int(all.len() as i32)),
            other => panic!("{other:?} has no length"),
        },
        Node::Call(target, name, args) => {
            let args: Vec<Value> = args.iter().map(of).collect();
            match target {
                Target::Of(receiver) => called(&of(receiver), name, args),
                _ => of_class(name, &args),
            }
        }
        // A text is put together in a builder.
        Node::New { args, .. } => of(&args[0]),
        Node::NewArray(length) => Value::Ints(vec![0; of(length).int() as usize]),
        Node::ArrayOf(items) => Value::Ints(items.iter().map(|i| of(i).int()).collect()),
        Node::Element(array, index) => match of(array) {
            Value::Ints(all) => Value::Prim(Prim::Int(all[of(index).int() as usize])),
            other => panic!("{other:?} is no array"),
        },
        Node::Cast(ty, operand) => match (ty.primitive(), of(operand)) {
            (Some(primitive), Value::Prim(prim)) => Value::Prim(converted(prim, primitive)),
            (_, value) => value,
        },
        Node::Assign(_, right) => of(right),
        Node::Not(operand) => Value::Prim(Prim::Boolean(!of(operand).is_true())),
        Node::InstanceOf(operand, class) => {
            let value = of(operand);
            let is = match &value {
                Value::Text(_) => *class == JavaType::string(),
                Value::Prim(Prim::Int(_)) => class.unboxed() == Some(Primitive::Int),
                Value::Ints(_) => class.is_array(),
                _ => false,
            };
            Value::Prim(Prim::Boolean(is))
        }
        Node::Choice(parts) => {
            let [condition, yes, no] = &**parts;
            of(if of(condition).is_true() { yes } else { no })
        }
        Node::Binary(left, sign, right) => binary(&expr.ty, left, *sign, right, scope),
        Node::Lambda(..) | Node::Reference(..) => Value::Function(expr.clone(), scope.clone()),
        other => panic!("{other:?} is not made"),
    }
}

fn called(receiver: &Value, name: &str, args: Vec<Value>) -> Value {
    let int = |value: i32| Value::Prim(Prim::Int(value));
    match (receiver, name) {
        (Value::Function(function, scope), _) => applied(function, scope, args),
        (Value::Prim(Prim::Int(v)), "intValue") => int(*v),
        (Value::Text(units), "length") => int(units.len() as i32),
        (Value::Text(units), "charAt") => Value::Prim(Prim::Char(units[args[0].int() as usize])),
        (Value::Text(units), "indexOf") => {
            let part = args[0].units();
            let last = units.len().checked_sub(part.len());
            let mut places = last.map_or(0..0, |last| 0..last + 1);
            let found = places.find(|&at| units[at..].starts_with(&part));
            int(found.map_or(-1, |at| at as i32))
        }
        (Value::Text(_), "equals") => Value::Prim(Prim::Boolean(*receiver == args[0])),
        (Value::Text(units), "concat" | "append") => {
            Value::Text([units.clone(), args[0].units()].concat())
        }
        (Value::Text(_), "toString") => receiver.clone(),
        _ => panic!("{name} of {receiver:?}"),
    }
}

fn of_class(name: &str, args: &[Value]) -> Value {
    match name {
        "max" => Value::Prim(Prim::Int(args[0].int().max(args[1].int()))),
        "abs" => Value::Prim(Prim::Int(args[0].int().wrapping_abs())),
        "valueOf" => args[0].clone(),
        _ => panic!("{name}"),
    }
}

fn applied(function: &JavaExpr, scope: &Scope, args: Vec<Value>) -> Value {
    match &function.node {
        Node::Reference(Target::Of(of), name) => called(&value(of, scope), name, args),
        Node::Reference(_, name) => of_class(name, &args),
        Node::Lambda(parameters, body) => {
            let mut scope = scope.clone();
            let variables = parameters.iter().map(|p| p.variable.clone());
            scope.extend(variables.zip(args));
            match body {
                LambdaBody::Value(result) => value(result, &scope),
                LambdaBody::Block(statements) => run(statements, scope),
            }
        }
        other => panic!("{other:?} is no function"),
    }
}

fn run(statements: &[JavaStmt], mut scope: Scope) -> Value {
    for stmt in statements {
        match stmt {
            JavaStmt::Local(local) => {
                let init = value(&local.init, &scope);
                scope.push((local.variable.clone(), init));
            }
            JavaStmt::Return(result) => return value(result, &scope),
            other => panic!("{other:?} is not made"),
        }
    }
    panic!("nothing is returned")
}

/// JLS §5.1.2 and §5.1.3.
fn converted(value: Prim, to: Primitive) -> Prim {
    let whole = |v: i64| match to {
        Primitive::Byte => Prim::Byte(v as i8),
        Primitive::Short => Prim::Short(v as i16),
        Primitive::Char => Prim::Char(v as u16),
        Primitive::Int => Prim::Int(v as i32),
        Primitive::Long => Prim::Long(v),
        Primitive::Float => Prim::Float(v as f32),
        Primitive::Double => Prim::Double(v as f64),
        Primitive::Boolean => panic!("a number is no boolean"),
    };
    let real = |v: f64| match to {
        Primitive::Float => Prim::Float(v as f32),
        Primitive::Double => Prim::Double(v),
        Primitive::Long => Prim::Long(v as i64),
        _ => whole(i64::from(v as i32)),
    };
    match value {
        Prim::Boolean(_) => value,
        Prim::Byte(v) => whole(v.into()),
        Prim::Short(v) => whole(v.into()),
        Prim::Char(v) => whole(v.into()),
        Prim::Int(v) => whole(v.into()),
        Prim::Long(v) => whole(v),
        Prim::Float(v) => real(v.into()),
        Prim::Double(v) => real(v),
    }
}

fn binary(
    ty: &JavaType,
    left: &JavaExpr,
    sign: Operator,
    right: &JavaExpr,
    scope: &Scope,
) -> Value {
    let one = value(left, scope);
    match (sign, one.is_true()) {
        (Operator::And, false) | (Operator::Or, true) => return one,
        _ => {}
    }
    let other = value(right, scope);
    let (Value::Prim(a), Value::Prim(b)) = (&one, &other) else {
        return match sign {
            Operator::Plus => Value::Text([one.units(), other.units()].concat()),
            sign => Value::Prim(Prim::Boolean((one == other) == (sign == Operator::Equal))),
        };
    };
    if *ty == JavaType::string() {
        return Value::Text([one.units(), other.units()].concat());
    }
    if let (Prim::Boolean(a), Prim::Boolean(b)) = (a, b) {
        return Value::Prim(Prim::Boolean(match sign {
            Operator::Equal => a == b,
            _ => *b,
        }));
    }
    // Binary numeric promotion (JLS §5.6).
    let order = |prim: &Prim| "BSCIJFD".find(prim.letter()).unwrap().max(3);
    let promoted = [
        Primitive::Int,
        Primitive::Long,
        Primitive::Float,
        Primitive::Double,
    ];
    let to = promoted[order(a).max(order(b)) - 3];
    Value::Prim(match (converted(*a, to), converted(*b, to)) {
        (Prim::Int(a), Prim::Int(b)) => match sign {
            Operator::Plus => Prim::Int(a.wrapping_add(b)),
            Operator::Minus => Prim::Int(a.wrapping_sub(b)),
            Operator::Multiply => Prim::Int(a.wrapping_mul(b)),
            Operator::Divide => Prim::Int(a.wrapping_div(b)),
            Operator::Remainder => Prim::Int(a.wrapping_rem(b)),
            sign => related(a, sign, b),
        },
        (Prim::Long(a), Prim::Long(b)) => match sign {
            Operator::Plus => Prim::Long(a.wrapping_add(b)),
            Operator::Minus => Prim::Long(a.wrapping_sub(b)),
            Operator::Multiply => Prim::Long(a.wrapping_mul(b)),
            Operator::Divide => Prim::Long(a.wrapping_div(b)),
            Operator::Remainder => Prim::Long(a.wrapping_rem(b)),
            sign => related(a, sign, b),
        },
        (Prim::Float(a), Prim::Float(b)) => match sign {
            Operator::Plus => Prim::Float(a + b),
            Operator::Minus => Prim::Float(a - b),
            Operator::Multiply => Prim::Float(a * b),
            Operator::Divide => Prim::Float(a / b),
            Operator::Remainder => Prim::Float(a % b),
            sign => related(a, sign, b),
        },
        (Prim::Double(a), Prim::Double(b)) => match sign {
            Operator::Plus => Prim::Double(a + b),
            Operator::Minus => Prim::Double(a - b),
            Operator::Multiply => Prim::Double(a * b),
            Operator::Divide => Prim::Double(a / b),
            Operator::Remainder => Prim::Double(a % b),
            sign => related(a, sign, b),
        },
        other => panic!("{other:?} are not alike"),
    })
}

fn related<T: PartialOrd>(a: T, sign: Operator, b: T) -> Prim {
    Prim::Boolean(match sign {
        Operator::Less => a < b,
        Operator::LessOrEqual => a <= b,
        Operator::Greater => a > b,
        Operator::GreaterOrEqual => a >= b,
        Operator::Equal => a == b,
        Operator::Unequal => a != b,
        sign => panic!("{sign:?} is no relation"),
    })
}

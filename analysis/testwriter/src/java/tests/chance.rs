//! Expressions made by chance, each of a type that is known.

use jinsi_trace::model::{JavaString, Prim};

use super::super::{
    JavaExpr, JavaStmt, JavaType, LambdaBody, Local, Node, Operator, Parameter, Primitive, Target,
    Variable,
};

/// Those of sums and products, of relations, of conditions.
const SIGNS: [Operator; 13] = [
    Operator::Multiply,
    Operator::Divide,
    Operator::Remainder,
    Operator::Plus,
    Operator::Minus,
    Operator::Less,
    Operator::LessOrEqual,
    Operator::Greater,
    Operator::GreaterOrEqual,
    Operator::Equal,
    Operator::Unequal,
    Operator::And,
    Operator::Or,
];

/// The types of which there are expressions.
pub(super) fn types() -> Vec<JavaType> {
    let primitives = Primitive::ALL.map(JavaType::Primitive);
    let classes = ["String", "Integer", "Object", "Class"];
    let classes = classes.map(|name| JavaType::class(&format!("java/lang/{name}")));
    let ints = JavaType::INT.array();
    primitives
        .into_iter()
        .chain(classes)
        .chain([ints])
        .collect()
}

/// What is given to the methods in which the expressions stand.
pub(super) fn parameters() -> Vec<(Variable, JavaExpr)> {
    let text = "p\u{e4}\u{1f600}\"\\\n";
    let ints = [3, -4, 5].map(JavaExpr::int).to_vec();
    let all = [
        ("a", JavaExpr::int(7)),
        ("b", JavaExpr::literal(Prim::Long(-3_000_000_000))),
        ("c", JavaExpr::literal(Prim::Boolean(true))),
        ("d", JavaExpr::literal(Prim::Char(u16::from(b'x')))),
        ("e", JavaExpr::literal(Prim::Double(-2.5))),
        ("s", JavaExpr::text(text)),
        ("ints", JavaExpr::array_of(JavaType::INT.array(), ints)),
    ];
    all.map(|(name, value)| (Variable::new(name), value)).into()
}

/// Chooses, always in the same way from the same beginning (Steele, Lea and Flood 2014, SplitMix).
pub(super) struct Chance {
    state: u64,
    /// Variables that can be named.
    scope: Vec<(Variable, JavaType)>,
    /// Parameters that lambdas have had.
    named: u32,
}

impl Chance {
    pub(super) fn new(seed: u64) -> Self {
        let scope = parameters()
            .into_iter()
            .map(|(name, value)| (name, value.ty));
        Self {
            state: seed,
            scope: scope.collect(),
            named: 0,
        }
    }

    fn below(&mut self, count: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % count as u64) as usize
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    /// An expression of exactly this type.
    pub(super) fn expr(&mut self, ty: &JavaType, depth: usize) -> JavaExpr {
        let Some(depth) = depth.checked_sub(1) else {
            return self.leaf(ty);
        };
        match self.below(8) {
            0 => self.leaf(ty),
            1 => {
                let condition = self.expr(&JavaType::BOOLEAN, depth);
                let (yes, no) = (self.expr(ty, depth), self.expr(ty, depth));
                condition.choose(yes, no, ty.clone())
            }
            _ => match ty.primitive() {
                Some(primitive) => self.primitive(primitive, depth),
                None => self.reference(ty, depth),
            },
        }
    }

    fn leaf(&mut self, ty: &JavaType) -> JavaExpr {
        let known = self.scope.iter().filter(|(_, own)| own == ty);
        let known: Vec<Variable> = known.map(|(name, _)| name.clone()).collect();
        if !known.is_empty() && self.below(2) == 0 {
            return JavaExpr::name(self.one(&known), ty.clone());
        }
        match ty.primitive() {
            Some(primitive) => JavaExpr::literal(self.value(primitive)),
            None if *ty == JavaType::string() => JavaExpr::string(self.text()),
            None if ty.is_class("java/lang/Class") => JavaExpr::class(self.named_type()),
            None if ty.is_class("java/lang/Integer") => JavaExpr::call(
                ty.clone(),
                "valueOf",
                vec![self.leaf(&JavaType::INT)],
                ty.clone(),
            ),
            None if ty.is_array() => JavaExpr::new_array(ty.clone(), 2),
            None => {
                let types = types();
                let inner = self.one(&types[..9]);
                self.leaf(&inner).cast(ty.clone())
            }
        }
    }

    fn value(&mut self, of: Primitive) -> Prim {
        let ints = [0, 1, -1, 2, 5, -7, 100, i32::MAX, i32::MIN];
        let int = self.one(&ints);
        match of {
            Primitive::Boolean => Prim::Boolean(self.below(2) == 0),
            Primitive::Byte => Prim::Byte(int as i8),
            Primitive::Short => Prim::Short(int as i16),
            Primitive::Char => Prim::Char(self.one(&[0, 10, 39, 92, 97, 228, 0xffff])),
            Primitive::Int => Prim::Int(int),
            Primitive::Long => Prim::Long(self.one(&[i64::from(int), i64::MIN, i64::MAX, -5])),
            Primitive::Float => {
                Prim::Float(self.one(&[0.0, -0.0, 1.5, -1e-45, f32::MAX, f32::NAN, -3.5]))
            }
            Primitive::Double => {
                Prim::Double(self.one(&[0.0, -0.0, 2.5, -1e300, f64::NEG_INFINITY, f64::NAN]))
            }
        }
    }

    fn text(&mut self) -> JavaString {
        let texts = [
            "",
            "a",
            "\"quoted\" ",
            "\\u0041",
            "\u{e4}\u{1f600}",
            "two\nlines\t",
            "'",
        ];
        let text = self.one(&texts);
        JavaString::new(&text.repeat(self.one(&[1, 1, 1, 3, 30])))
    }

    fn named_type(&mut self) -> JavaType {
        let classes = [
            "java/util/List",
            "java/awt/List",
            "java/util/Map$Entry",
            "p/Base",
        ];
        let class = JavaType::class(self.one(&classes));
        let types = types();
        let of = self.one(&types);
        self.one(&[class.clone(), class.array().array(), of.clone(), of.array()])
    }

    fn primitive(&mut self, ty: Primitive, depth: usize) -> JavaExpr {
        if self.below(4) == 0 && ty != Primitive::Boolean {
            let from = self.number_type();
            return self.expr(&from, depth).cast(JavaType::Primitive(ty));
        }
        match ty {
            Primitive::Boolean => self.boolean(depth),
            Primitive::Int => match self.below(2) {
                0 => self.arithmetic(ty, depth),
                _ => self.int(depth),
            },
            Primitive::Char => {
                let text = JavaExpr::text("chars");
                let place = vec![JavaExpr::int(self.below(5) as i32)];
                JavaExpr::call(text, "charAt", place, JavaType::Primitive(ty))
            }
            Primitive::Byte | Primitive::Short => {
                let value = self.expr(&JavaType::INT, depth);
                value.cast(JavaType::Primitive(ty))
            }
            Primitive::Long | Primitive::Float | Primitive::Double => self.arithmetic(ty, depth),
        }
    }

    fn number_type(&mut self) -> JavaType {
        JavaType::Primitive(self.one(&Primitive::ALL[1..]))
    }

    /// A sum or product whose type is promoted to this one (JLS §5.6).
    fn arithmetic(&mut self, ty: Primitive, depth: usize) -> JavaExpr {
        let at = Primitive::ALL
            .iter()
            .position(|p| *p == ty)
            .unwrap_or_default();
        let smaller = self.one(&Primitive::ALL[1..=at]);
        let mut types = [ty, smaller];
        if self.below(2) == 0 {
            types.reverse();
        }
        if ty == Primitive::Int && self.below(2) == 0 {
            types = [self.one(&Primitive::ALL[1..=at]), smaller];
        }
        let sign = self.one(&SIGNS[..5]);
        let [left, right] = types.map(JavaType::Primitive);
        let left = self.expr(&left, depth);
        let is_whole = matches!(ty, Primitive::Int | Primitive::Long);
        let right = match sign {
            Operator::Divide | Operator::Remainder if is_whole => {
                let number = self.one(&[-1, 1, 3, -10]);
                match right == JavaType::Primitive(Primitive::Long) {
                    true => JavaExpr::literal(Prim::Long(number)),
                    false => JavaExpr::int(number as i32),
                }
            }
            _ => self.expr(&right, depth),
        };
        left.binary(sign, right, JavaType::Primitive(ty))
    }

    fn int(&mut self, depth: usize) -> JavaExpr {
        let int = JavaType::INT;
        let string = JavaType::string();
        match self.below(9) {
            0 => JavaExpr::call(self.expr(&string, depth), "length", vec![], int),
            1 => {
                let args = vec![self.expr(&string, depth)];
                JavaExpr::call(self.expr(&string, depth), "indexOf", args, int)
            }
            2 => {
                let args = vec![self.expr(&int, depth), self.expr(&int, depth)];
                JavaExpr::call(JavaType::class("java/lang/Math"), "max", args, int)
            }
            3 => {
                let of = self.expr(&Primitive::Int.boxed(), depth);
                JavaExpr::call(of, "intValue", vec![], int)
            }
            4 => JavaExpr::field(self.expr(&int.array(), depth), "length", JavaType::INT),
            5 => {
                let items = (0..3).map(|_| self.expr(&int, depth)).collect();
                let array = JavaExpr::array_of(int.array(), items);
                array.element(JavaExpr::int(self.below(3) as i32))
            }
            6 => {
                let place = JavaExpr::new_array(int.clone().array(), 3).element(JavaExpr::int(1));
                place.assign(self.expr(&int, depth))
            }
            _ => self.of_function(depth),
        }
    }

    /// What a function gives.
    fn of_function(&mut self, depth: usize) -> JavaExpr {
        let int = JavaType::INT;
        let count = self.below(3);
        let (interface, method) = [
            ("IntSupplier", "getAsInt"),
            ("IntUnaryOperator", "applyAsInt"),
            ("IntBinaryOperator", "applyAsInt"),
        ][count];
        let ty = JavaType::class(&format!("java/util/function/{interface}"));
        let mut function = self.function(&ty, count, depth);
        if self.below(3) == 0 {
            let condition = self.expr(&JavaType::BOOLEAN, depth);
            let other = self.function(&ty, count, depth);
            function = condition.choose(function, other, ty);
        }
        let args = (0..count).map(|_| self.expr(&int, depth)).collect();
        JavaExpr::call(function, method, args, int)
    }

    fn function(&mut self, ty: &JavaType, count: usize, depth: usize) -> JavaExpr {
        let reference = match count {
            0 => Some((Target::from(JavaExpr::text("text")), "length")),
            1 => Some((Target::Static(JavaType::class("java/lang/Math")), "abs")),
            _ => Some((Target::Static(JavaType::class("java/lang/Math")), "max")),
        };
        if let Some((of, name)) = reference.filter(|_| self.below(4) == 0) {
            let node = Node::Reference(of, name.to_owned());
            return JavaExpr::new(ty.clone(), node).cast(ty.clone());
        }
        let before = self.scope.len();
        let typed = self.below(3) == 0;
        let parameters = (0..count).map(|_| Parameter {
            variable: self.declared(JavaType::INT),
            ty: typed.then_some(JavaType::INT),
        });
        let parameters = parameters.collect();
        let body = match self.below(3) {
            0 => {
                let init = self.expr(&JavaType::INT, depth);
                let local = Local {
                    is_final: self.below(2) == 0,
                    ty: Some(JavaType::INT),
                    variable: self.declared(JavaType::INT),
                    init,
                    movable: false,
                };
                let result = self.expr(&JavaType::INT, depth);
                LambdaBody::Block(vec![JavaStmt::Local(local), JavaStmt::Return(result)])
            }
            _ => LambdaBody::Value(Box::new(self.expr(&JavaType::INT, depth))),
        };
        self.scope.truncate(before);
        let lambda = JavaExpr::new(ty.clone(), Node::Lambda(parameters, body));
        lambda.cast(ty.clone())
    }

    fn declared(&mut self, ty: JavaType) -> Variable {
        self.named += 1;
        let variable = Variable {
            stem: "x".into(),
            number: self.named,
        };
        self.scope.push((variable.clone(), ty));
        variable
    }

    fn boolean(&mut self, depth: usize) -> JavaExpr {
        let boolean = JavaType::BOOLEAN;
        let string = JavaType::string();
        match self.below(8) {
            0 => self.expr(&boolean, depth).negated(),
            7 => {
                let ty = JavaType::class("java/util/function/IntSupplier");
                let function = self.function(&ty, 0, depth);
                function.binary(Operator::Equal, JavaExpr::null(), boolean)
            }
            1 | 2 => {
                let sign = self.one(&[Operator::And, Operator::Or, Operator::Equal]);
                let left = self.expr(&boolean, depth);
                left.binary(sign, self.expr(&boolean, depth), boolean)
            }
            3 => {
                let sign = self.one(&SIGNS[5..11]);
                let (left, right) = (self.number_type(), self.number_type());
                let left = self.expr(&left, depth);
                left.binary(sign, self.expr(&right, depth), boolean)
            }
            4 => {
                let args = vec![self.expr(&string, depth)];
                JavaExpr::call(self.expr(&string, depth), "equals", args, boolean)
            }
            5 => {
                let sign = self.one(&[Operator::Equal, Operator::Unequal]);
                self.expr(&string, depth)
                    .binary(sign, JavaExpr::null(), boolean)
            }
            _ => {
                let class = self.one(&[string, Primitive::Int.boxed(), JavaType::INT.array()]);
                self.expr(&JavaType::object(), depth).instance_of(class)
            }
        }
    }

    fn reference(&mut self, ty: &JavaType, depth: usize) -> JavaExpr {
        if *ty == JavaType::string() {
            return self.string(depth);
        }
        if ty.is_class("java/lang/Integer") {
            return match self.below(2) {
                0 => self.expr(&JavaType::INT, depth).cast(ty.clone()),
                _ => self
                    .expr(ty, depth)
                    .cast(JavaType::object())
                    .cast(ty.clone()),
            };
        }
        if ty.is_object() {
            let types = types();
            let inner = self.one(&types);
            return self.expr(&inner, depth).cast(ty.clone());
        }
        match ty.is_array() {
            true => {
                let items = (0..2).map(|_| self.expr(&JavaType::INT, depth)).collect();
                JavaExpr::array_of(ty.clone(), items)
            }
            false => self.leaf(ty),
        }
    }

    fn string(&mut self, depth: usize) -> JavaExpr {
        let ty = JavaType::string();
        match self.below(7) {
            0 | 1 => {
                let part = self.part(depth);
                self.expr(&ty, depth).concat(part)
            }
            2 => self.part(depth).concat(self.expr(&ty, depth)),
            3 => {
                let args = vec![self.expr(&ty, depth)];
                JavaExpr::call(self.expr(&ty, depth), "concat", args, ty)
            }
            4 => {
                let part = vec![self.part(depth)];
                let class = JavaType::class("java/lang/StringBuilder");
                let builder = JavaExpr::make(class.clone(), vec![self.expr(&ty, depth)]);
                let builder = JavaExpr::call(builder, "append", part, class);
                JavaExpr::call(builder, "toString", vec![], ty)
            }
            5 => self.expr(&ty, depth).cast(JavaType::object()).cast(ty),
            _ => {
                let condition = self.expr(&JavaType::BOOLEAN, depth);
                condition.choose(JavaExpr::text("no null"), self.expr(&ty, depth), ty)
            }
        }
    }

    /// What has the same text in Java and Rust.
    fn part(&mut self, depth: usize) -> JavaExpr {
        use Primitive::{Boolean, Byte, Char, Int, Long};
        let primitive = self.one(&[Boolean, Byte, Char, Int, Long]);
        let ty = self.one(&[JavaType::Primitive(primitive), JavaType::string()]);
        self.expr(&ty, depth)
    }
}

pub struct Stack {
    items: Vec<u32>,
}

impl Stack {
    pub fn new() -> Stack {
        Stack { items: Vec::new() }
    }

    pub fn swap_all(&mut self, other: &mut Vec<u32>) {
        std::mem::swap_all(&mut self.items, other)
    }
}

pub fn stack() -> Stack {
    Stack::new()
}

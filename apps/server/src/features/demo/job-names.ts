export const loadKind = 'demo.load'
export const removeKind = 'demo.remove'

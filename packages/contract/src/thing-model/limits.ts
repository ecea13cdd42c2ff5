/** Limits of the thing model (thing-model.md 2, decisions.md 2 "Model limits"). */
/** Values travel as objects keyed by identifier, where `__proto__` cannot be a plain key. */
export const identifierPattern = /^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]{0,127}$/
export const maxName = 64
export const maxDesc = 80
export const maxMappingLabel = 20
export const maxUnit = 12
export const maxStringLength = 2048
/** Numbers of a definition are clamped to this magnitude. */
export const maxNumber = 9_999_999_999_999
export const maxSpecs = 10
export const maxParams = 20
export const maxMapping = 100
/** Struct in array in struct ...: deeper nesting is refused. */
export const maxDepth = 5
/** Levels of JSON that a document may have; far above what maxDepth allows. */
export const maxJsonDepth = 64
export const maxFunctions = 500
/** A float is a multiple of its step when it is this near to one (decisions.md 2 "Step of a number"). */
export const stepTolerance = 1e-9

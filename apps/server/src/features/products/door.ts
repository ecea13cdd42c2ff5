export { coerceParams } from './compile-model.ts'
export { type CachedProduct, makeProductCache, type ProductCache } from './product-cache.ts'
export { loadFunctions, modelOf } from './thing-model/model-store.ts'

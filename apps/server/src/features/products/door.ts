export { coerceParams } from './compile-model.ts'
export { type CachedProduct, makeProductCache, type ProductCache } from './product-cache.ts'

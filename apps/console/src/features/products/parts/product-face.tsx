import type { Product } from '@ithings/contract/features/products.ts'
import { MenuGlyph } from '#blocks/menu-icon.tsx'
import { productIcon } from '../product-icon.ts'
import './products.css'

type Face = Pick<Product, 'productImg' | 'productName' | 'deviceType'>

/** The picture of a product, or a drawing in its place; 24 px in rows, 48 in headers. */
export function ProductFace({ product, size = 24 }: { product: Face; size?: number }) {
  return (
    <span
      className="product-face center clip round-6 grey-fill inline-row fixed softer"
      style={{ width: size, height: size }}
      aria-hidden="true"
    >
      {product.productImg ? (
        <img src={product.productImg} alt="" width={size} height={size} loading="lazy" />
      ) : (
        <MenuGlyph name={productIcon(product)} size={Math.round(size * 0.58)} />
      )}
    </span>
  )
}

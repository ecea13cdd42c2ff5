import type { Product } from '@ithings/contract/features/products/info.ts'
import { useQuery } from '@tanstack/react-query'
import { TopicTable } from '#blocks/topics/topic-table.tsx'
import { modelQuery } from '../model-query.ts'

/** screens.md 4.3: the topics of any device of the product. */
export function TopicTab({ product }: { product: Product }) {
  const { data: model } = useQuery(modelQuery(product.productID))
  return <TopicTable product={product} model={model} />
}

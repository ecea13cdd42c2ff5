import type { Product } from '@ithings/contract/features/products.ts'
import { useQuery } from '@tanstack/react-query'
import { modelQuery } from '#blocks/model-query.ts'
import { TopicTable } from '#blocks/topics/topic-table.tsx'

/** screens.md 4.3: the topics of any device of the product. */
export function TopicTab({ product }: { product: Product }) {
  const { data: model } = useQuery(modelQuery(product.productID))
  return <TopicTable product={product} model={model} />
}

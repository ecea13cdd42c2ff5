import type { Product } from '@ithings/contract/features/products.ts'
import { t } from '@ithings/contract/text.ts'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useProductWork } from '../queries.ts'

// Behind their buttons: the list does not wait for forms.
const EditForm = lazy(async () => ({ default: (await import('./edit-form.tsx')).EditForm }))
const CopyForm = lazy(async () => ({ default: (await import('./copy-form.tsx')).CopyForm }))
const TagsModal = lazy(async () => ({ default: (await import('./tags-modal.tsx')).TagsModal }))
const BatchModal = lazy(async () => ({ default: (await import('#kit/batch-modal.tsx')).BatchModal<Product> }))

export type ProductTask =
  | { kind: 'edit' | 'copy'; product: Product }
  | { kind: 'tags' | 'delete'; products: readonly Product[]; done: () => void }

/** One dialog at a time; it keeps what it was opened for while it fades out. */
export function useProductDialogs() {
  const work = useProductWork()
  const [task, setTask] = useState<{ nth: number; open: boolean; of: ProductTask }>()
  const ask = (of: ProductTask) => setTask((before) => ({ nth: (before?.nth ?? 0) + 1, open: true, of }))
  const close = () => setTask((before) => before && { ...before, open: false })
  const end = (done: () => void) => (ran: boolean) => {
    close()
    if (ran) done()
  }
  const draw = (): ReactNode => {
    if (!task) return null
    const { nth: key, open, of } = task
    switch (of.kind) {
      case 'edit':
        return <EditForm key={key} product={of.product} open={open} onClose={close} />
      case 'copy':
        return <CopyForm key={key} product={of.product} open={open} onClose={close} />
      case 'tags':
        return <TagsModal key={key} products={of.products} open={open} onClose={end(of.done)} />
      case 'delete':
        return (
          <BatchModal
            key={key}
            word={t('删除')}
            danger
            unit={(count) => t('个产品', { count })}
            items={of.products}
            keyOf={({ productID }) => productID}
            nameOf={({ productName }) => productName}
            blocked={({ deviceCount }) =>
              deviceCount > 0 ? t('有 {count, number} 台设备，不能删除', { count: deviceCount }) : undefined
            }
            work={({ productID }) => work.remove(productID)}
            open={open}
            onClose={end(of.done)}
          >
            <p className="below-8 bare softer">{t('产品信息、物模型及其历史版本、消息解析脚本一并删除，无法恢复。')}</p>
          </BatchModal>
        )
    }
  }
  return { ask, dialog: <Suspense fallback={null}>{draw()}</Suspense> }
}

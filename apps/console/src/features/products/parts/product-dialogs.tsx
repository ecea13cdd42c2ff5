import type { Product } from '@ithings/contract/features/products/info.ts'
import { useState } from 'react'
import { useProductWork } from '../queries.ts'
import { BatchModal } from './batch-modal.tsx'
import { CopyForm } from './copy-form.tsx'
import { EditForm } from './edit-form.tsx'
import { TagsModal } from './tags-modal.tsx'

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
  if (!task) return { ask, dialog: null }
  const { nth: key, open, of } = task
  switch (of.kind) {
    case 'edit':
      return { ask, dialog: <EditForm key={key} product={of.product} open={open} onClose={close} /> }
    case 'copy':
      return { ask, dialog: <CopyForm key={key} product={of.product} open={open} onClose={close} /> }
    case 'tags':
      return { ask, dialog: <TagsModal key={key} products={of.products} open={open} onClose={end(of.done)} /> }
    case 'delete': {
      const dialog = (
        <BatchModal
          key={key}
          word="删除"
          danger
          products={of.products}
          blocked={({ deviceCount }) =>
            deviceCount > 0 ? `有 ${deviceCount.toLocaleString()} 台设备，不能删除` : undefined
          }
          work={({ productID }) => work.remove(productID)}
          open={open}
          onClose={end(of.done)}
        >
          <p className="batch-text">产品信息、物模型及其历史版本、消息解析脚本一并删除，无法恢复。</p>
        </BatchModal>
      )
      return { ask, dialog }
    }
  }
}

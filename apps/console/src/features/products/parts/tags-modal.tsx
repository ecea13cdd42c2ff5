import type { Product } from '@ithings/contract/features/products.ts'
import { t } from '@ithings/contract/text.ts'
import type { Tag } from '@ithings/contract/wire.ts'
import { Radio } from 'antd'
import { useState } from 'react'
import { BatchModal } from '#kit/batch-modal.tsx'
import { TagInput } from '#kit/tag-input.tsx'
import { mergeTags, TagMode } from '../merge-tags.ts'
import { useProductWork } from '../queries.ts'

interface TagsModalProps {
  products: readonly Product[]
  open: boolean
  onClose: (ran: boolean) => void
}

/** The same tags for several products, beside or instead of their own. */
export function TagsModal({ products, ...opened }: TagsModalProps) {
  const work = useProductWork()
  const [mode, setMode] = useState<TagMode>(TagMode.add)
  const [tags, setTags] = useState<Tag[]>([])
  return (
    <BatchModal
      {...opened}
      word={t('设置标签')}
      unit={(count) => t('个产品', { count })}
      items={products}
      keyOf={({ productID }) => productID}
      nameOf={({ productName }) => productName}
      ready={mode === TagMode.replace || tags.length > 0}
      work={async ({ productID, rev, tags: own }) => work.update({ productID, rev, tags: mergeTags(own, tags, mode) })}
    >
      <div className="column gap-12">
        <Radio.Group
          value={mode}
          onChange={(event) => setMode(event.target.value as TagMode)}
          options={[
            { value: TagMode.add, label: t('添加到现有标签') },
            { value: TagMode.replace, label: t('替换现有标签') },
          ]}
        />
        <TagInput value={tags} onChange={setTags} />
        {mode === TagMode.replace && tags.length === 0 && (
          <span className="meta">{t('不填写标签将清空所选产品的标签。')}</span>
        )}
      </div>
    </BatchModal>
  )
}

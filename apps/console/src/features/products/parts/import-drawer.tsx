import { deviceTypeLabels, productID as productIDRule } from '@ithings/contract/features/products.ts'
import { t } from '@ithings/contract/text.ts'
import { FileImport } from '#blocks/file-import.tsx'
import { labelOf } from '#kit/status-tag.tsx'
import { countWords } from '../model-counts.ts'
import { useProductWork } from '../queries.ts'
import { type ReadProduct, readProducts } from '../read-product-file.ts'

function About({ row: { info, counts, problems } }: { row: ReadProduct }) {
  const id = productIDRule.safeParse(info.productID)
  return (
    <div className="meta">
      {id.success && <span className="mono-payload">{id.data}</span>}
      {problems.length === 0
        ? t(' {type}，属性 {properties}，事件 {events}，行为 {actions}', {
            ...countWords(counts),
            type: labelOf(deviceTypeLabels, Number(info.deviceType ?? 1)),
          })
        : t('属性 {properties}，事件 {events}，行为 {actions}', countWords(counts))}
    </div>
  )
}

/** The counterpart of 导出: each product of the file becomes a product with its model. */
export function ImportDrawer(opened: { open: boolean; onClose: () => void }) {
  const work = useProductWork()
  return (
    <FileImport
      {...opened}
      width={640}
      what="product"
      option={{ label: t('沿用文件中的产品 ID'), help: t('已有设备按原 ID 接入时打开；关闭则由平台生成新的 ID') }}
      fileHelp={t('含产品信息和物模型；先检查，确认后才会创建。密钥、图片和设备不在文件中。')}
      read={readProducts}
      make={({ name, info: { productID, ...rest }, tsl }, keepIDs) =>
        work.createWithModel({ ...rest, productName: name, ...(keepIDs && productID && { productID }) }, tsl)
      }
      refresh={work.refresh}
      badText={({ problems }) => t('{count} 处错误', { count: problems.length })}
      about={(row) => <About row={row} />}
    />
  )
}

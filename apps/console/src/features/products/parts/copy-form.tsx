import { createProductBody, type Product } from '@ithings/contract/features/products.ts'
import { t } from '@ithings/contract/text.ts'
import { Input } from 'antd'
import { Field } from '#kit/form/field.tsx'
import { FormModal } from '#kit/form/form-modal.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { copyName } from '../product-file.ts'
import { useProductWork } from '../queries.ts'

const schema = createProductBody.pick({ productName: true })

/** Settings, tags, picture and thing model; id, secret and devices are the copy's own. */
export function CopyForm({ product, ...opened }: Opened & { product: Product }) {
  const work = useProductWork()
  return (
    <FormModal
      {...opened}
      title={t('复制产品「{name}」', { name: product.productName })}
      schema={schema}
      initialValues={{ productName: copyName(product.productName) }}
      submitText={t('复制')}
      layout="vertical"
      width={480}
      onSubmit={({ productName }) => work.copy(product, productName)}
      done={t('复制成功')}
    >
      <Field
        name="productName"
        label={t('新产品名称')}
        extra={t('复制产品信息、标签、图片和物模型；产品 ID 和密钥重新生成，设备和脚本不复制。')}
      >
        <Input maxLength={64} showCount autoFocus />
      </Field>
    </FormModal>
  )
}

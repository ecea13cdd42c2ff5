import { type Product, updateProductBody } from '@ithings/contract/features/products.ts'
import { t } from '@ithings/contract/text.ts'
import type * as z from 'zod'
import { useStaleEdit } from '#blocks/stale-edit.tsx'
import { FormDrawer } from '#kit/form/form-drawer.tsx'
import { useProductWork } from '../queries.ts'
import { AutoRegisterField, NameField, NetTypeField, SettingFields } from './product-fields.tsx'

type Values = z.input<typeof updateProductBody>

/** The picture is a link in the record and a path in the form, so it never goes from one to the other. */
const editable = (product: Product) => {
  const { productName, netType, autoRegister, dialect, valueDays, logDays, tags, desc, rev } = product
  return { productName, netType, autoRegister, dialect, valueDays, logDays, tags, desc, rev }
}

export function EditForm({ product, ...opened }: { product: Product; open: boolean; onClose: () => void }) {
  const work = useProductWork()
  const { productID } = product
  const stale = useStaleEdit(product.rev, async () => editable(await work.reread(productID)))
  return (
    <FormDrawer
      {...opened}
      title={t('编辑产品信息')}
      schema={updateProductBody.required({ productName: true })}
      initialValues={{ productID, ...editable(product) } as Partial<Values>}
      stale={stale}
      onSubmit={async (values, { rev }) => {
        const image = values.productImg !== undefined && { isUpdateProductImg: true }
        await work.update({ ...values, ...image, rev })
      }}
      done={t('更新成功')}
    >
      <NameField />
      <NetTypeField />
      <AutoRegisterField />
      <SettingFields image={product.productImg} />
    </FormDrawer>
  )
}

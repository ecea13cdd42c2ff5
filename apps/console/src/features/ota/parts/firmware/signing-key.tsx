import { saveSigningKey } from '@ithings/contract/features/ota/firmware.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert, App, Form, type FormInstance, Input } from 'antd'
import { useEffect } from 'react'
import { ProductPicker } from '#blocks/product-picker.tsx'
import { Field } from '#kit/form/field.tsx'
import { FormModal } from '#kit/form/form-modal.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import type { Opened } from '#kit/use-dialog.ts'
import { signingKeyQuery, useSigningKeySend } from '../../queries.ts'

/** The key that the chosen product has now is shown, so that nobody replaces it unseen. */
function KeyField({ form }: { form: FormInstance }) {
  const productID: unknown = Form.useWatch('productID', form)
  const id = typeof productID === 'string' ? productID : ''
  const { data, error, isFetching } = useQuery({ ...signingKeyQuery(id), enabled: id !== '' })
  useEffect(() => {
    if (data !== undefined) form.setFieldValue('publicKey', data)
  }, [form, data])
  const extra = error
    ? t('现有的公钥读取失败：{reason}', { reason: describeError(error).reason })
    : isFetching
      ? t('正在读取现有的公钥…')
      : t('PEM 或 Base64；留空则取消这个产品的公钥')
  return (
    <Field name="publicKey" label={t('Ed25519 公钥')} extra={extra}>
      <Input.TextArea
        className="mono"
        rows={4}
        maxLength={512}
        spellCheck={false}
        placeholder={'-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA…\n-----END PUBLIC KEY-----'}
      />
    </Field>
  )
}

/** The public key that signatures of a product's packages are checked with; its private half never comes here. */
export function SigningKey({ productID, ...opened }: Opened & { productID?: string | undefined }) {
  const { message } = App.useApp()
  const send = useSigningKeySend()
  return (
    <FormModal
      {...opened}
      title={t('固件签名公钥')}
      width={600}
      layout="vertical"
      schema={saveSigningKey.body}
      initialValues={{ publicKey: '', ...(productID && { productID }) }}
      onSubmit={async ({ productID: product, publicKey }) => {
        await send(saveSigningKey, { productID: product, publicKey: publicKey.trim() })
        void message.success(publicKey.trim() ? t('已保存，之后上传的签名用它验证') : t('已取消签名公钥'))
      }}
    >
      {(form) => (
        <>
          <Alert
            className="below-16"
            type="info"
            showIcon
            title={t(
              '上传固件时附上的 Ed25519 签名用产品的公钥验证，验证不通过的固件包不能创建。私钥由你自己保管，不要上传。',
            )}
          />
          <Field name="productID" label={t('产品')}>
            <ProductPicker />
          </Field>
          <KeyField form={form} />
        </>
      )}
    </FormModal>
  )
}

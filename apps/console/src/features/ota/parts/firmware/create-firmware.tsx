import type { BodyInput } from '@ithings/contract/endpoint.ts'
import {
  createFirmware,
  createFirmwareBody,
  PackageKind,
  packageKindLabels,
} from '@ithings/contract/features/ota/firmware.ts'
import { t } from '@ithings/contract/text.ts'
import { App, Form, type FormInstance, Input, Radio, Select } from 'antd'
import { useEffect } from 'react'
import { ProductPicker } from '#blocks/product-picker.tsx'
import { choicesOf } from '#blocks/rollout/words.ts'
import { CodeEditor } from '#kit/code-editor.tsx'
import { Field } from '#kit/form/field.tsx'
import { FormDrawer } from '#kit/form/form-drawer.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { moduleOptions, signMethodOptions } from '../../labels.ts'
import { useFirmwareListSend, useFreshFirmware } from '../../queries.ts'
import { UploadDrop, UploadList } from './upload-files.tsx'
import { differing, packageFiles, uploadProblem } from './upload-list.ts'
import { type Uploads, useUploads } from './use-uploads.ts'

export function DescribeFields() {
  return (
    <>
      <Field name="desc" label={t('说明')}>
        <Input.TextArea
          maxLength={200}
          showCount
          autoSize={{ minRows: 2, maxRows: 5 }}
          placeholder={t('这一版改了什么')}
        />
      </Field>
      <Field name="extData" label={t('自定义数据')} extra={t('随升级消息推送给设备，JSON 对象，可不填')}>
        <CodeEditor language="json" height={112} aria-label={t('自定义数据')} />
      </Field>
    </>
  )
}

/** The files live outside the form: it only hears whether they are complete. */
function FilesField({ form, uploads }: { form: FormInstance; uploads: Uploads }) {
  const { rows } = uploads
  useEffect(() => {
    form.setFieldValue('files', packageFiles(rows))
    if (uploadProblem(rows) === undefined) void form.validateFields(['files']).catch(() => undefined)
  }, [form, rows])
  return (
    <>
      <Field
        name="files"
        label={t('升级包文件')}
        rules={[
          {
            validator: () => {
              const problem = uploadProblem(rows)
              return problem === undefined ? Promise.resolve() : Promise.reject(new Error(problem))
            },
          },
        ]}
      >
        <UploadDrop uploads={uploads} />
      </Field>
      <UploadList uploads={uploads} />
    </>
  )
}

function KindFields({ form }: { form: FormInstance }) {
  const kind: unknown = Form.useWatch('isDiff', form)
  return (
    <>
      <Field
        name="isDiff"
        label={t('包类型')}
        extra={kind === PackageKind.diff ? t('只能装在一个版本上，体积小') : t('装在任何版本上都可以')}
      >
        <Radio.Group options={choicesOf(packageKindLabels)} />
      </Field>
      {kind === PackageKind.diff && (
        <Field name="srcVersion" label={t('待升级版本')} required extra={t('差分包只推送给运行这一版本的设备')}>
          <Input className="mono" maxLength={32} autoComplete="off" placeholder={t('例如 1.1.0')} />
        </Field>
      )}
    </>
  )
}

interface CreateFirmwareProps extends Opened {
  productID?: string | undefined
}

/** screens.md 21, page mode 1 新增. */
export function CreateFirmware({ open, onClose, productID }: CreateFirmwareProps) {
  // Each opening begins with no files.
  return open ? <Drawer onClose={onClose} productID={productID} /> : null
}

/** Creates the package, then holds what the platform computed over the stored bytes against what was computed here. */
function useCreate({ rows }: Uploads) {
  const { message, modal } = App.useApp()
  const send = useFirmwareListSend()
  const fresh = useFreshFirmware()
  return async (values: Omit<BodyInput<typeof createFirmware>, 'files'>) => {
    const problem = uploadProblem(rows)
    if (problem) throw new Error(problem)
    const files = packageFiles(rows)
    const stored = await fresh((await send(createFirmware, { ...values, files })).firmwareID)
    const wrong = differing(files, stored.files)
    const unchecked = files.some(
      ({ name, signature }) => signature && !stored.files.find((one) => one.name === name)?.signed,
    )
    if (wrong.length > 0) {
      modal.error({
        title: t('校验值不一致'),
        content: t('平台保存的内容与本机不同：{files}。请删除这个固件包后重新上传。', { files: wrong.join(t('、')) }),
      })
    } else if (unchecked) void message.warning(t('创建成功；这个产品没有设置签名公钥，所以签名没有验证'))
    else void message.success(t('创建成功，校验值与平台一致'))
  }
}

function Drawer({ onClose, productID }: Omit<CreateFirmwareProps, 'open'>) {
  const uploads = useUploads()
  const create = useCreate(uploads)
  return (
    <FormDrawer
      title={t('新增固件包')}
      open
      onClose={onClose}
      width={640}
      schema={createFirmwareBody}
      initialValues={{ module: 3, isDiff: PackageKind.full, signMethod: 'sha256', ...(productID && { productID }) }}
      submitText={t('创建')}
      onSubmit={create}
    >
      {(form) => (
        <>
          <Field name="productID" label={t('所属产品')} extra={t('创建后不能修改')}>
            <ProductPicker />
          </Field>
          <Field name="name" label={t('固件名称')}>
            <Input maxLength={64} showCount autoComplete="off" placeholder={t('例如 水泵主控')} />
          </Field>
          <div className="firmware-pair gap-16 grid">
            <Field name="module" label={t('模块')}>
              <Select options={moduleOptions.map(({ value, label }) => ({ value, label: t(label) }))} />
            </Field>
            <Field name="version" label={t('版本号')} extra={t('形如 1.2.3 或 1.2.3-beta')}>
              <Input className="mono" maxLength={32} autoComplete="off" placeholder="1.0.0" />
            </Field>
          </div>
          <KindFields form={form} />
          <FilesField form={form} uploads={uploads} />
          <Field name="signMethod" label={t('签名方式')} extra={t('设备下载后用它核对文件')}>
            <Radio.Group options={signMethodOptions} />
          </Field>
          <DescribeFields />
        </>
      )}
    </FormDrawer>
  )
}

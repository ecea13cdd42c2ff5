import { maxBatchCreate, multiCreateDevicesBody } from '@ithings/contract/features/devices/bulk.ts'
import type { Job } from '@ithings/contract/features/jobs.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert, Form, type FormInstance, Input, InputNumber } from 'antd'
import * as z from 'zod'
import { seriesFits, seriesPreview } from '#blocks/device/device-name.ts'
import { useDevicesChanged, useMultiCreateDevices } from '#blocks/device/queries.ts'
import { JobModal } from '#blocks/job-modal.tsx'
import { ProductPicker } from '#blocks/product-picker.tsx'
import { Field } from '#kit/form/field.tsx'
import { FormDrawer } from '#kit/form/form-drawer.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { BulkResult, resultOf } from './bulk-result.tsx'
import './devices.css'

const seriesSchema = multiCreateDevicesBody.pick({ prefix: true, start: true, count: true, digits: true })

function NamePreview({ form }: { form: FormInstance }) {
  const values: unknown = Form.useWatch([], form)
  const series = seriesSchema.safeParse(values)
  if (!series.success) return <span className="meta">{t('填写前缀和数量后，这里列出将要创建的名称。')}</span>
  if (!seriesFits(series.data)) return <Alert type="error" showIcon title={t('最后一个名称超过 48 位，请缩短前缀')} />
  return (
    <>
      <div className="meta">{t('将创建 {count, number} 台设备：', { count: series.data.count })}</div>
      <ul className="head-fill pad-12-16 gap-4-8 boxed flex wrap bare-list mono" aria-label={t('名称预览')}>
        {seriesPreview(series.data).map((name) => (
          <li key={name} className="anywhere">
            {name}
          </li>
        ))}
      </ul>
    </>
  )
}

interface BatchCreateFormProps extends Opened {
  productID?: string | undefined
  onStarted: (jobID: string) => void
}

export function BatchCreateForm({ productID, onStarted, ...opened }: BatchCreateFormProps) {
  const start = useMultiCreateDevices()
  return (
    <FormDrawer
      {...opened}
      title={t('批量新增设备')}
      schema={multiCreateDevicesBody}
      initialValues={{ start: 1, count: 100, digits: 4, ...(productID && { productID }) }}
      submitText={t('开始创建')}
      onSubmit={async (values) => {
        const { jobID } = await start.mutateAsync(values)
        onStarted(jobID)
      }}
    >
      {(form) => (
        <>
          <Field name="productID" label={t('所属产品')}>
            <ProductPicker />
          </Field>
          <Field name="prefix" label={t('名称前缀')} extra={t('名称 = 前缀 + 序号；已存在的名称跳过，不会改动')}>
            <Input className="mono" maxLength={40} autoComplete="off" placeholder={t('例如 PS-CY-')} />
          </Field>
          <div className="field-pair">
            <Field name="start" label={t('起始序号')}>
              <InputNumber min={0} max={99_999_999} precision={0} style={{ width: '100%' }} />
            </Field>
            <Field name="digits" label={t('序号位数')} extra={t('不足的前面补 0')}>
              <InputNumber min={1} max={8} precision={0} style={{ width: '100%' }} />
            </Field>
          </div>
          <Field name="count" label={t('数量')} extra={t('一次最多 {count, number} 台', { count: maxBatchCreate })}>
            <InputNumber min={1} max={maxBatchCreate} precision={0} style={{ width: '100%' }} />
          </Field>
          <NamePreview form={form} />
        </>
      )}
    </FormDrawer>
  )
}

const resultSchema = z.object({
  success: z.int(),
  failedCount: z.int(),
  failed: z.array(z.object({ deviceName: z.string(), msg: z.string() })),
})

function BatchOutcome({ job }: { job: Job }) {
  const result = resultOf(job, resultSchema)
  if (!result) return null
  return (
    <>
      <Alert
        type={result.failedCount > 0 ? 'warning' : 'success'}
        showIcon
        title={
          result.failedCount > 0
            ? t('已创建 {count, number} 台，{skipped, number} 个名称已存在，已跳过', {
                count: result.success,
                skipped: result.failedCount,
              })
            : t('已创建 {count, number} 台', { count: result.success })
        }
        description={
          result.success > 0 && t('凭证文件含设备密钥，请现在下载并妥善保管；之后只能在设备详情里逐台查看。')
        }
      />
      {result.failed.length > 0 && (
        <BulkResult name={t('批量新增')} failed={result.failed.map((row) => ({ ...row, productID: '', code: 0 }))} />
      )}
    </>
  )
}

export function BatchCreateJob({ jobID, ...opened }: { jobID: string; open: boolean; onClose: () => void }) {
  const changed = useDevicesChanged()
  return (
    <JobModal {...opened} title={t('批量新增设备')} jobID={jobID} onEnd={() => void changed()}>
      {(job) => <BatchOutcome job={job} />}
    </JobModal>
  )
}

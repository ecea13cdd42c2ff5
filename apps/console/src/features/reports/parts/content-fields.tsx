import { argFuncLabels } from '@ithings/contract/features/history.ts'
import {
  ReportInterval,
  reportChannelTypes,
  reportFormatLabels,
  reportFormats,
  reportFuncs,
  reportIntervalLabels,
} from '@ithings/contract/features/reports.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Checkbox, Form, Radio, Select } from 'antd'
import { ChannelPicker } from '#blocks/channel-picker.tsx'
import { modelQuery } from '#blocks/model-query.ts'
import { Field, type InputProps } from '#kit/form/field.tsx'
import { labelOf } from '#kit/status-tag.tsx'
import { languages } from '#language/language.ts'

function PropertiesInput({ id, value, onChange, productID }: InputProps<string[]> & { productID: string }) {
  const { data, isFetching } = useQuery({ ...modelQuery(productID), enabled: productID !== '' })
  const options = (data?.properties ?? [])
    .filter(({ isNoRecord }) => !isNoRecord)
    .map(({ identifier, name }) => ({ value: identifier, label: name, search: `${name} ${identifier}` }))
  return (
    <Select
      {...(id && { id })}
      mode="multiple"
      allowClear
      loading={isFetching}
      disabled={productID === ''}
      placeholder={productID === '' ? t('先选择产品') : t('不选：报表没有属性')}
      showSearch={{ optionFilterProp: 'search' }}
      options={options}
      {...(value && { value })}
      {...(onChange && { onChange })}
    />
  )
}

/** What it tells, and how: figures of properties, alarms, availability; format, language and receivers. */
export function ContentFields() {
  const form = Form.useFormInstance()
  const productID: string = Form.useWatch('productID', form) ?? ''
  const dataIDs: string[] = Form.useWatch('dataIDs', form) ?? []
  return (
    <>
      <div className="flex wrap gap-16">
        <Field name="availability" label={t('可用率')} valuePropName="checked">
          <Checkbox>{t('在线比例和离线次数')}</Checkbox>
        </Field>
        <Field name="alarms" label={t('告警', { context: 'list' })} valuePropName="checked">
          <Checkbox>{t('各级别数量和明细')}</Checkbox>
        </Field>
      </div>
      <Field name="dataIDs" label={t('属性', { context: 'list' })}>
        <PropertiesInput productID={productID} />
      </Field>
      {dataIDs.length > 0 && (
        <>
          <Field name="funcs" label={t('统计方式')} required extra={t('文本等不是数值的属性只有首个值、末个值和条数')}>
            <Checkbox.Group options={reportFuncs.map((value) => ({ value, label: t(argFuncLabels[value]) }))} />
          </Field>
          <Field name="interval" label={t('统计粒度')}>
            <Radio.Group
              options={Object.values(ReportInterval).map((value) => ({
                value,
                label: labelOf(reportIntervalLabels, value),
              }))}
            />
          </Field>
        </>
      )}
      <div className="flex wrap gap-16">
        <Field name="format" label={t('格式')} extra={t('CSV 有多张表时打包为 ZIP')}>
          <Radio.Group options={reportFormats.map((value) => ({ value, label: reportFormatLabels[value] }))} />
        </Field>
        <Field name="language" label={t('报表的语言')}>
          <Radio.Group options={Object.entries(languages).map(([value, label]) => ({ value, label }))} />
        </Field>
      </div>
      <Field
        name="channelIDs"
        label={t('接收渠道')}
        extra={t('邮件附上文件，Webhook 收到下载链接和概要；不选则只保存在历史中')}
      >
        <ChannelPicker types={reportChannelTypes} />
      </Field>
    </>
  )
}

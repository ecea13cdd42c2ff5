import { EditOutlined } from '@ant-design/icons'
import {
  AutoRegister,
  authModeLabels,
  autoRegisterLabels,
  dataProtoLabels,
  deviceTypeLabels,
  dialectLabels,
  netTypeLabels,
  type Product,
  updateProduct,
} from '@ithings/contract/features/products.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Image } from 'antd'
import type { ReactNode } from 'react'
import { ConnectionCard } from '#blocks/connection-card.tsx'
import { Fact } from '#blocks/fact.tsx'
import { modelQuery } from '#blocks/model-query.ts'
import { SecretField } from '#blocks/secret-field.tsx'
import { productSecret } from '#blocks/secret-owner.ts'
import { TagPairs } from '#blocks/tags.tsx'
import { payloadOf } from '#blocks/topics/topic-rows.ts'
import { messagesOf } from '#blocks/topics/topic-samples.ts'
import { Copyable } from '#kit/copyable.tsx'
import { ActButton } from '#kit/rights.tsx'
import { labelOf } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { useProductDialogs } from './product-dialogs.tsx'
import { ProductFace } from './product-face.tsx'

const factsOf = (product: Product): [string, ReactNode][] => [
  [t('产品名称'), product.productName],
  [t('产品 ID'), <Copyable key="id" text={product.productID} />],
  [t('设备类型'), labelOf(deviceTypeLabels, product.deviceType)],
  [t('通讯方式'), labelOf(netTypeLabels, product.netType)],
  [t('认证方式'), labelOf(authModeLabels, product.authMode)],
  [t('数据协议'), labelOf(dataProtoLabels, product.dataProto)],
  [t('动态注册'), labelOf(autoRegisterLabels, product.autoRegister)],
  ...(product.autoRegister === AutoRegister.off
    ? []
    : [[t('产品密钥'), <SecretField key="secret" owner={productSecret(product)} />] as [string, ReactNode]]),
  [t('报文风格'), labelOf(dialectLabels, product.dialect)],
  [t('属性数据保留'), t('{count} 天', { count: product.valueDays })],
  [t('日志保留'), t('{count} 天', { count: product.logDays })],
  [t('创建时间'), <TimeText key="time" value={product.createdTime} mode="exact" />],
]

/** The report of the first properties: short enough for a command line. */
function useSamplePayload(product: Product): string | undefined {
  const { data: model } = useQuery(modelQuery(product.productID))
  if (!model) return undefined
  const now = Date.now()
  const short = { ...model, properties: model.properties.slice(0, 3) }
  const { timestamp: _, ...message } = payloadOf(
    'report',
    messagesOf(short, product.productID, now),
    product.dialect,
    now,
  )
  return JSON.stringify(message)
}

export function InfoTab({ product }: { product: Product }) {
  const { ask, dialog } = useProductDialogs()
  const payload = useSamplePayload(product)
  const edit = () => ask({ kind: 'edit', product })
  return (
    <div className="product-page-columns top stack gap-16">
      <section className="sheet pane" aria-label={t('产品信息')}>
        <div className="product-page-card-head head-acts high-32 row between below-8">
          <h2 className="title">{t('产品信息')}</h2>
          <ActButton needs={updateProduct} type="text" icon={<EditOutlined />} onClick={edit}>
            {t('编辑')}
          </ActButton>
        </div>
        <div className="info-body flex top gap-24">
          {product.productImg ? (
            <Image
              className="boxed"
              style={{ objectFit: 'cover' }}
              width={120}
              height={120}
              src={product.productImg}
              alt={t('产品图片')}
            />
          ) : (
            <ProductFace product={product} size={120} />
          )}
          <dl className="info-facts grid grow shrink bare anywhere gap-16">
            {factsOf(product).map(([label, value]) => (
              <Fact key={label} label={label}>
                {value}
              </Fact>
            ))}
            <Fact label={t('标签')} className="info-wide">
              {product.tags.length > 0 ? (
                <TagPairs tags={product.tags} />
              ) : (
                <span className="no-value">{t('无标签信息')}</span>
              )}
            </Fact>
            <Fact label={t('描述')} className="info-wide">
              {product.desc || <span className="no-value">—</span>}
            </Fact>
          </dl>
        </div>
      </section>
      <ConnectionCard productID={product.productID} {...(payload !== undefined && { payload })} />
      {dialog}
    </div>
  )
}

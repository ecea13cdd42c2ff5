/** What the other screens share besides, in one file (docs/design/language.md). */
import contract from '@ithings/contract/en-later.json'
import blocks from '#blocks/en-later.json'
import kit from '#kit/en-later.json'

export const texts = [kit, blocks, contract]

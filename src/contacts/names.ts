/** Short words that are easy to say and to type; a contact keeps its name for life. */
const words = `
  acorn alder anise aspen aster auk basil bay beech birch bison bream briar brook cedar clover cobalt comet coral
  cricket crow daisy dove dune egret elder elk ember ermine falcon fennel fern finch flint fox frost gale gecko
  ginger gull hare hawk hazel heron holly ibis iris ivy jade jay juniper kelp kestrel kite lark laurel lemur lily
  linden lotus lynx magpie maple marten mint mole moss myrtle newt oak olive onyx opal orchid oriole osprey otter
  owl pearl pebble pike pine plum poppy puffin quail quartz raven reed robin rook rowan rush rye sable sage seal
  shrike sloe sorrel sparrow spruce stoat stork swan swift tansy teal tern thistle thrush topaz trout tulip vint
  viola vole walnut wasp weasel willow wolf wren yarrow yew zinnia
`
  .trim()
  .split(/\s+/)

/**
 * A name nobody living has: a word chosen by `seed` (the contact's id, so that it looks random and tests are
 * stable), with a number behind it once all words are taken.
 */
export function generateName(seed: string, isTaken: (name: string) => boolean): string {
  let start = 0
  for (const char of seed) start = (start * 31 + (char.codePointAt(0) ?? 0)) % 2_147_483_647
  for (let round = 1; ; round += 1) {
    for (let step = 0; step < words.length; step += 1) {
      const word = words[(start + step) % words.length] ?? 'agent'
      const name = round === 1 ? word : `${word}-${round}`
      if (!isTaken(name)) return name
    }
  }
}

import { skillwright } from "../skillwright.mjs";

export default skillwright("sandbox");

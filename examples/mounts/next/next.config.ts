/** The server's packages have programs of their own, which a bundle would leave behind. */
export default { serverExternalPackages: ["@skillwright/server"] };

export { type JwtUsersOptions, jwtUsers } from "./users/jwt-users.js";
export { type ProxyUsersOptions, proxyUsers } from "./users/proxy-users.js";

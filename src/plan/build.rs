//! Makers of nodes: they check shapes and dtypes now and compute nothing. Errors are facts without places, unless a
//! place is known from an operand.

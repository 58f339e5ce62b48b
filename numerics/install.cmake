# Installation: see the commit that follows.
